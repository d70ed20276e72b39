control_untimed = sin límite de tiempo
control_each = Blancas: { $white }; negras: { $black }
control_periods = { $periods }
control_period = { $parts }
no_main_time = sin tiempo principal
hours = { $count ->
        [one] { $count } hora
       *[other] { $count } horas
    }
minutes = { $count ->
        [one] { $count } minuto
       *[other] { $count } minutos
    }
seconds = { $count ->
        [one] { $count } segundo
       *[other] { $count } segundos
    }
for_every_move = por jugada
for_every_moves = cada { $moves ->
        [one] { $moves } jugada
       *[other] { $moves } jugadas
    }
for_moves = para { $moves ->
        [one] { $moves } jugada
       *[other] { $moves } jugadas
    }
with_increment = con { $span } más por jugada
with_increment_from = con { $span } más por jugada desde la jugada { $from }
with_delay = con una demora de { $span } antes de cada jugada
with_bronstein = con hasta { $span } { $seconds ->
        [one] devuelto
       *[other] devueltos
    } por jugada (Bronstein)
with_japanese = y { $periods ->
        [one] { $periods } periodo
       *[other] { $periods } periodos
    } de { $span } por jugada (byo-yomi)
with_canadian = y { $span } cada { $moves ->
        [one] { $moves } jugada
       *[other] { $moves } jugadas
    } (byo-yomi canadiense)
with_hourglass = cada uno, reloj de arena
