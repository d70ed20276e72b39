control_untimed = sans limite de temps
control_each = Blancs : { $white } ; Noirs : { $black }
control_periods = { $periods }
control_period = { $parts }
no_main_time = sans temps principal
hours = { $count ->
        [one] { $count } heure
       *[other] { $count } heures
    }
minutes = { $count ->
        [one] { $count } minute
       *[other] { $count } minutes
    }
seconds = { $count ->
        [one] { $count } seconde
       *[other] { $count } secondes
    }
for_every_move = par coup
for_every_moves = par { $moves ->
        [one] { $moves } coup
       *[other] { $moves } coups
    }
for_moves = pour { $moves ->
        [one] { $moves } coup
       *[other] { $moves } coups
    }
with_increment = et { $span } de plus à chaque coup
with_increment_from = et { $span } de plus à chaque coup à partir du { $from }e
with_delay = avec un délai de { $span } avant chaque coup
with_bronstein = et jusqu'à { $span } { $seconds ->
        [one] rendue
       *[other] rendues
    } à chaque coup (Bronstein)
with_japanese = et { $periods ->
        [one] { $periods } période
       *[other] { $periods } périodes
    } de { $span } par coup (byo-yomi)
with_canadian = et { $span } par { $moves ->
        [one] { $moves } coup
       *[other] { $moves } coups
    } (byo-yomi canadien)
with_hourglass = chacun, sablier
