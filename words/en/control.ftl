control_untimed = no time limit
control_each = White: { $white }; Black: { $black }
control_periods = { $periods }
control_period = { $parts }
no_main_time = no main time
hours = { $count ->
        [one] { $count } hour
       *[other] { $count } hours
    }
minutes = { $count ->
        [one] { $count } minute
       *[other] { $count } minutes
    }
seconds = { $count ->
        [one] { $count } second
       *[other] { $count } seconds
    }
for_every_move = for every move
for_every_moves = for every { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }
for_moves = for { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }
with_increment = with { $span } added for each move
with_increment_from = with { $span } added for each move from move { $from }
with_delay = with a delay of { $span } before each move
# Other languages agree with the number.
with_bronstein = with up to { $span } { $seconds ->
       *[other] given back
    } for each move (Bronstein)
with_japanese = and { $periods ->
        [one] { $periods } period
       *[other] { $periods } periods
    } of { $span } for each move (byo-yomi)
with_canadian = and { $span } for every { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    } (Canadian byo-yomi)
with_hourglass = each, hourglass
