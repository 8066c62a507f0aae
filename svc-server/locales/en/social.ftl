profile-followers =
    { $count ->
        [one] <b>{ $n }</b> follower
       *[other] <b>{ $n }</b> followers
    }
profile-following = <b>{ $n }</b> following
profile-posts =
    { $count ->
        [one] <b>{ $n }</b> post
       *[other] <b>{ $n }</b> posts
    }
profile-since = since { $day }
