# El nombre del idioma, en ese idioma.
language_name = Español

# Los jugadores.
player_white = las blancas
    .of = de las blancas
    .to = a las blancas
    .bare = blancas
player_black = las negras
    .of = de las negras
    .to = a las negras
    .bare = negras

piece_pawn = el peón
    .bare = peón
    .a = un peón
    .gender = masculine
piece_knight = el caballo
    .bare = caballo
    .a = un caballo
    .gender = masculine
piece_bishop = el alfil
    .bare = alfil
    .a = un alfil
    .gender = masculine
piece_rook = la torre
    .bare = torre
    .a = una torre
    .gender = feminine
piece_queen = la dama
    .bare = dama
    .a = una dama
    .gender = feminine
piece_king = el rey
    .bare = rey
    .a = un rey
    .gender = masculine

man_white_pawn = peón blanco
    .o = o
man_white_knight = caballo blanco
    .o = o
man_white_bishop = alfil blanco
    .o = o
man_white_rook = torre blanca
    .o = a
man_white_queen = dama blanca
    .o = a
man_white_king = rey blanco
    .o = o
man_black_pawn = peón negro
    .o = o
man_black_knight = caballo negro
    .o = o
man_black_bishop = alfil negro
    .o = o
man_black_rook = torre negra
    .o = a
man_black_queen = dama negra
    .o = a
man_black_king = rey negro
    .o = o

# Las letras de las jugadas.
letter_knight = C
letter_bishop = A
letter_rook = T
letter_queen = D
letter_king = R

# Enumeraciones y duraciones.
list_comma = {", "}
list_semicolon = {"; "}
list_then = {", después "}
squares_counted = { $count } casillas
decimal_mark = {","}
span_seconds = { $seconds } s
span_minutes_seconds = { $minutes } min { $seconds } s
