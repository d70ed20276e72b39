conf_word = "{ $written }" is not known; write one of { $known }
conf_key = unknown field `{ $key }`; write one of { $known }
conf_quotes = write it in quotes: { $key } = "{ $value }" ({ $said })
conf_straight_quotes = { $quote } is no quotation mark of a configuration; write straight ones: "…" (text programs like to change them)
conf_no_quotes = a text stands in quotes: { $key } = "{ $value }"
conf_each_table = write [[table]] in two brackets, once for each table
conf_single = write [{ $section }] in one bracket, once
conf_missing = write { $key } too
conf_list = write a list in brackets: { $key } = ["{ $value }"]
conf_twice = is there already; write it once
conf_whole_number = write a whole number from 0, without quotes, not { $value } ({ $said })
conf_truth = write true or false, without quotes ({ $said })
conf_socket = write an address and a port, as "0.0.0.0:8380" ({ $said })
conf_said = { $said }
conf_no_toml = this line cannot be read; write one key on each line, as name = "Open" ({ $said })
conf_open_quotes = a text stands between two straight quotes on one line, as name = "Open" ({ $said })
conf_line_of_its_own = write one key on each line, and no comma behind it ({ $said })
conf_equals = write { $key } = … with an equals sign; a name with a space or an accent stands in quotes, as "Open A" ({ $said })
conf_head = write the whole head, alone on its line: [web], or for each table [[table]] ({ $said })
conf_whole_list = write the whole list, with commas: ["en", "fr"] ({ $said })
conf_backslash = write a backslash twice: \\ ({ $said })
conf_within = { $key }: { $what }
conf_one_line = has a line break or the like; write it on one line
conf_long_name = write { $letters } letters at most
conf_control = "{ $written }" is no time control; write { $wanted }; 90 minutes and 30 seconds a move are "5400+30"
conf_start = "{ $written }" is no time; write the time with its offset, like 2026-11-20T14:00:00+01:00
conf_base = write a topic without + # at the beginning of all others, like adoubed
conf_halls_broker = several halls are read from one broker; write broker = "external" and its url into [mqtt]
conf_halls_many = write at most { $most } halls
conf_halls_sections = [web.sections] is for one hall; take it out: the tables of several halls are listed hall by hall
conf_halls_base = "{ $base }" is no base; write one as in [mqtt] base of that hall, like "liege/a", or "liege/+" for all halls below liege
conf_halls_pages = "{ $written }" is no address of pages; write it like "http://10.0.0.11:8380"
conf_halls_twice = { $base } stands there twice; leave one of them out
conf_halls_open = { $base } stands for many halls, and a name or pages for one; write them beside the base of that hall
conf_halls_name = "{ $name }" cannot stand before the number of a table; write { "{" } base = "{ $base }", name = "A" { "}" }, with a letter and up to { $most } letters and digits in all
conf_halls_same = two halls would have the name { $name }; write { "{" } base = "{ $base }", name = "…" { "}" } with another one
conf_serve_section = [{ $section }] is for the daemon of a hall, and `adoubed serve` has no boards and no record; take it out, or start `adoubed run`
conf_serve_halls = `adoubed serve` shows the halls that are named here; write halls = ["liege/a", "liege/b"] into [web]
conf_run_halls = several halls are shown by `adoubed serve`, which has a file of its own; take this out, or start `adoubed serve` with it
conf_broker_url = write mqtt://host:1883, or mqtts://host:8883 with TLS; several brokers as ["mqtt://a:1883", "mqtt://b:1883"]
conf_broker_plain = is for brokers with TLS; write every url as mqtts://host:8883
conf_machine = is for several machines on an external broker; write broker = "external" and its url, or leave it out
conf_spare = needs a name for this machine: machine = "spare"
conf_same_port = the feed and the pages cannot share a port; write 1883 and 8380
conf_name = "{ $written }" is neither a name nor an address; write hall.local
conf_tls_port = write another port than that of listen, as 8443
conf_tls_listen = write also where to listen: listen_tls = "0.0.0.0:8443"
conf_other_half = write the file with the other half too: { $missing }
conf_own_names = are for a certificate of our own; leave them out
conf_wait = more than { $most } s; write less
conf_between = write { $least } to { $most }
conf_minutes = write { $least } to { $most } minutes
conf_minutes_or_never = write 0 (never) to { $most } minutes
conf_or_never = write 0 (never) to { $most }
conf_table_number = every table needs a number from 1
conf_number_taken = { $number } is the number of [[table]] { $nth } already; write another one
conf_place = write where its board is: port or serial
conf_is_clock = { $name } is a clock and has no squares; write it beside the board, as clock = { "{ port = \"…\", driver = \"" }{ $name }{ "\" }" }, and here the driver of the board, or auto
conf_no_search = no line is searched for { $name }; write its port, or no driver here
conf_second_where = write where it is: port or serial
conf_clock_taken = the clock on { $port } belongs to table { $table } already, and one clock counts for one table; write the port of another clock, or none here
conf_port_taken = { $port } belongs to table { $table } already, and one board is on a line; write another port, or serial alone (boards on a bus: their driver at each)
conf_station_taken = { $station } on { $port } is at table { $table } already; write the station of each board of the bus, or the serial of each
conf_serial_taken = { $serial } belongs to table { $table } already; write another one (two boards with one number: the port of each)
conf_two_roles = is in [web.arbiters] too; an organizer may do all that an arbiter may, so write the name once
conf_own_name = is a name that the daemon uses itself; write another one
conf_no_hash = is no hash of a password; write the line that "adoubed passwd { $name }" prints
conf_shares = shares tables with { $other }; write each table once
conf_no_tables = "{ $written }" names no tables; write numbers, as 1-40,50
conf_no_delay = there is no delay; write [public] with delay_s = 900 too
conf_delay = write { $least } to { $most } seconds, or no [public] for no delay
conf_delay_moves = write 0 to { $most } half moves
conf_no_address = "{ $written }" is no address; write an address and a port, as "127.0.0.1:1982"
conf_door_taken = { $written } is another door's already; write "127.0.0.1:1982"
conf_live_door = whoever reaches { $written } may read the tables without a name; write [mqtt] hall = "open" too, or "127.0.0.1:1982" here
conf_no_alert = no such kind of alert; write one of { $known }
conf_no_gravity = "{ $written }" is not known; write note, look or summon
conf_no_edition = no such edition; write one of { $known }
conf_penalties = write minutes for each illegal move (0 to 60, four at most), then "loss", like [2, "loss"]
conf_penalty_minutes = write minutes, 0 to { $most }
conf_rounds_named = the rounds are named already; leave this one out
conf_no_round = "{ $written }" is no round of Lichess; write the eight letters at the end of the address of the round
conf_round_empty = one of them is empty; leave it out
conf_token = write the file with a token that may write studies (study:write)
conf_secret = anybody on the way could read the token; write https://
conf_file_unread = { $file } cannot be read: { $why }
conf_refused_at = the configuration would be refused: { $file }:{ $line }: { $key }: { $what }
