# How the language is called, by those who speak it.
language_name = English

# Each player; what stands after a dot is written `{ $player-of }` in a sentence.
player_white = White
player_black = Black

piece_pawn = pawn
piece_knight = knight
piece_bishop = bishop
piece_rook = rook
piece_queen = queen
piece_king = king

man_white_pawn = white pawn
man_white_knight = white knight
man_white_bishop = white bishop
man_white_rook = white rook
man_white_queen = white queen
man_white_king = white king
man_black_pawn = black pawn
man_black_knight = black knight
man_black_bishop = black bishop
man_black_rook = black rook
man_black_queen = black queen
man_black_king = black king

# The letters of moves.
letter_knight = N
letter_bishop = B
letter_rook = R
letter_queen = Q
letter_king = K

# Lists and spans.
list_comma = {", "}
list_semicolon = {"; "}
list_then = {", then "}
squares_counted = { $count } squares
decimal_mark = {"."}
span_seconds = { $seconds } s
span_minutes_seconds = { $minutes } min { $seconds } s
