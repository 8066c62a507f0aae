# account
