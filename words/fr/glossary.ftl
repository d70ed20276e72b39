# Le nom de la langue, dans cette langue.
language_name = Français

# Les joueurs.
player_white = les Blancs
    .of = des Blancs
    .to = aux Blancs
    .bare = Blancs
player_black = les Noirs
    .of = des Noirs
    .to = aux Noirs
    .bare = Noirs

piece_pawn = le pion
    .bare = pion
    .a = un pion
    .e = { "" }
    .gender = masculine
piece_knight = le cavalier
    .bare = cavalier
    .a = un cavalier
    .e = { "" }
    .gender = masculine
piece_bishop = le fou
    .bare = fou
    .a = un fou
    .e = { "" }
    .gender = masculine
piece_rook = la tour
    .bare = tour
    .a = une tour
    .e = e
    .gender = feminine
piece_queen = la dame
    .bare = dame
    .a = une dame
    .e = e
    .gender = feminine
piece_king = le roi
    .bare = roi
    .a = un roi
    .e = { "" }
    .gender = masculine

man_white_pawn = pion blanc
    .e = { "" }
man_white_knight = cavalier blanc
    .e = { "" }
man_white_bishop = fou blanc
    .e = { "" }
man_white_rook = tour blanche
    .e = e
man_white_queen = dame blanche
    .e = e
man_white_king = roi blanc
    .e = { "" }
man_black_pawn = pion noir
    .e = { "" }
man_black_knight = cavalier noir
    .e = { "" }
man_black_bishop = fou noir
    .e = { "" }
man_black_rook = tour noire
    .e = e
man_black_queen = dame noire
    .e = e
man_black_king = roi noir
    .e = { "" }

# Les lettres des coups.
letter_knight = C
letter_bishop = F
letter_rook = T
letter_queen = D
letter_king = R

# Énumérations et durées.
list_comma = {", "}
list_semicolon = {" ; "}
list_then = {", puis "}
squares_counted = { $count } cases
decimal_mark = {","}
span_seconds = { $seconds } s
span_minutes_seconds = { $minutes } min { $seconds } s
