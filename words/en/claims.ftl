no_legal_move = { $mv } is no legal move here
claim_game_over = the game has a result: nothing can be claimed
announced_must_be_played = { $mv } must be played ({ $article }).
score_in_doubt = The score is in doubt: count with the score sheets.
same_position_times = The same position for the { $times }th time ({ $article }).
drawn_intervene = The game is drawn: intervene.
same_position_third = The same position for the third time ({ $article }).
changed_before_press = That move was changed before the press. Released on its square it stands ({ $article }), and the game is drawn; if it was only on its way, dismiss this.
quiet_moves = { $moves } moves by each player without capture or pawn move.
nobody_can_mate = Neither player can mate by any series of legal moves.
drawn_and_over = The game is drawn: it is over.
dead_if_rightly_made = The game is drawn and over only if this move was in accordance with Articles 4.2 to 4.7 ({ $article }): rule on that first.
rule_first = What is open before this is to be ruled on first ({ $article }): upheld, the position before it is put back. If it is dismissed:
player_may_claim = { $player } may claim a draw; nobody may tell the players.
claim_right = right
claim_wrong = wrong
claim_repeated = The claim is { $verdict }: the position has stood there { $times ->
        [one] { $times } time
       *[other] { $times } times
    }.
claim_repeated_after = The claim is { $verdict }: the position after { $mv } has stood there { $times ->
        [one] { $times } time
       *[other] { $times } times
    }.
claim_quiet = The claim is { $verdict }: { $moves } moves without capture or pawn move.
claim_quiet_after = The claim is { $verdict }: { $moves } moves after { $mv } without capture or pawn move.
