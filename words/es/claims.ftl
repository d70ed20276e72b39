no_legal_move = { $mv } no es una jugada legal aquí
claim_game_over = la partida tiene resultado: ya no se puede reclamar nada
announced_must_be_played = Debe jugarse { $mv } ({ $article }).
score_in_doubt = La partida registrada es dudosa: contar con las planillas.
same_position_times = La misma posición por { $times }.ª vez ({ $article }).
drawn_intervene = La partida es tablas: intervenir.
same_position_third = La misma posición por tercera vez ({ $article }).
changed_before_press = Esa jugada se cambió antes de pulsar. Soltada en su casilla es definitiva ({ $article }) y la partida es tablas; si solo estaba en camino, descartar esto.
quiet_moves = { $moves } jugadas de cada jugador sin captura ni movimiento de peón.
nobody_can_mate = Ninguno de los dos jugadores puede dar mate con ninguna serie de jugadas legales.
drawn_and_over = La partida es tablas: ha terminado.
dead_if_rightly_made = La partida es tablas y ha terminado solo si esta jugada respetó los artículos 4.2 a 4.7 ({ $article }): decidir antes sobre eso.
rule_first = Antes hay que decidir sobre lo que queda abierto ({ $article }): si se confirma, se restablece la posición anterior. Si se descarta:
player_may_claim = { $Player } pueden reclamar tablas; no decir nada a los jugadores.
claim_right = correcta
claim_wrong = incorrecta
claim_repeated = La reclamación es { $verdict }: la posición se ha dado { $times ->
        [one] { $times } vez
       *[other] { $times } veces
    }.
claim_repeated_after = La reclamación es { $verdict }: la posición tras { $mv } se ha dado { $times ->
        [one] { $times } vez
       *[other] { $times } veces
    }.
claim_quiet = La reclamación es { $verdict }: { $moves } jugadas sin captura ni movimiento de peón.
claim_quiet_after = La reclamación es { $verdict }: { $moves } jugadas tras { $mv } sin captura ni movimiento de peón.
