# market
