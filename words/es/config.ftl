conf_word = "{ $written }" no se conoce; escriba uno de: { $known }
conf_key = clave desconocida `{ $key }`; escriba una de: { $known }
conf_quotes = escríbalo entre comillas: { $key } = "{ $value }" ({ $said })
conf_straight_quotes = { $quote } no es una comilla de configuración; escriba comillas rectas: "…" (los procesadores de texto suelen cambiarlas)
conf_no_quotes = un texto va entre comillas: { $key } = "{ $value }"
conf_each_table = escriba [[table]] entre dos corchetes, una vez por cada mesa
conf_single = escriba [{ $section }] entre un solo corchete, una vez
conf_missing = escriba también { $key }
conf_list = escriba una lista entre corchetes: { $key } = ["{ $value }"]
conf_twice = ya está; escríbalo una sola vez
conf_whole_number = escriba un número entero desde 0, sin comillas, y no { $value } ({ $said })
conf_truth = escriba true o false, sin comillas ({ $said })
conf_socket = escriba una dirección y un puerto, como "0.0.0.0:8380" ({ $said })
conf_said = { $said }
conf_no_toml = esta línea no se puede leer; escriba una clave en cada línea, como name = "Open" ({ $said })
conf_open_quotes = un texto va entre dos comillas rectas en una línea, como name = "Open" ({ $said })
conf_line_of_its_own = escriba una sola clave en cada línea, y sin coma al final ({ $said })
conf_equals = escriba { $key } = … con un signo igual; un nombre con un espacio o un acento va entre comillas, como "Open A" ({ $said })
conf_head = escriba la cabecera entera, sola en su línea: [web], o para cada mesa [[table]] ({ $said })
conf_whole_list = escriba la lista entera, con comas: ["en", "fr"] ({ $said })
conf_backslash = escriba dos veces la barra invertida: \\ ({ $said })
conf_within = { $key }: { $what }
conf_one_line = tiene un salto de línea o algo parecido; escríbalo en una sola línea
conf_long_name = escriba { $letters } letras como máximo
conf_control = "{ $written }" no es un ritmo de juego; 90 minutos y 30 segundos por jugada se escriben "5400+30" (forma esperada: { $wanted })
conf_start = "{ $written }" no es una hora; escriba la hora con su diferencia, como 2026-11-20T14:00:00+01:00
conf_base = escriba un tema sin + ni #, con el que empiecen todos los demás, como adoubed
conf_halls_broker = varias salas se leen de un solo bróker; escriba broker = "external" y su url en [mqtt]
conf_halls_many = escriba { $most } salas como máximo
conf_halls_sections = [web.sections] es para una sola sala; quítelo: las mesas de varias salas se ordenan sala por sala
conf_halls_base = "{ $base }" no es una base; escríbala como en [mqtt] base de esa sala, por ejemplo "liege/a", o "liege/+" para todas las salas bajo liege
conf_halls_pages = "{ $written }" no es una dirección de páginas; escríbala así: "http://10.0.0.11:8380"
conf_halls_twice = { $base } está dos veces; quite una
conf_halls_open = { $base } es para muchas salas, y un nombre o unas páginas para una; escríbalos junto a la base de esa sala
conf_halls_name = "{ $name }" no puede ir delante del número de una mesa; escriba { "{" } base = "{ $base }", name = "A" { "}" }, con una letra y luego letras y cifras, { $most } como máximo en total
conf_halls_same = dos salas tendrían el nombre { $name }; escriba { "{" } base = "{ $base }", name = "…" { "}" } con otro
conf_serve_section = [{ $section }] es para el servicio de una sala, y `adoubed serve` no tiene tableros ni registro; quítelo, o inicie `adoubed run`
conf_serve_halls = `adoubed serve` muestra las salas que se nombran aquí; escriba halls = ["liege/a", "liege/b"] en [web]
conf_run_halls = varias salas las muestra `adoubed serve`, que tiene su propio archivo; quite esto, o inicie `adoubed serve` con él
conf_broker_url = escriba mqtt://host:1883, o mqtts://host:8883 con TLS; varios brókeres así: ["mqtt://a:1883", "mqtt://b:1883"]
conf_broker_plain = es para brókeres con TLS; escriba cada url así: mqtts://host:8883
conf_machine = es para varias máquinas en un bróker externo; escriba broker = "external" y su url, o quite la línea
conf_spare = pide un nombre para esta máquina: machine = "reserva"
conf_same_port = los datos y las páginas no pueden compartir un puerto; escriba 1883 y 8380
conf_name = "{ $written }" no es ni un nombre ni una dirección; escriba hall.local
conf_tls_port = escriba otro puerto que el de listen, como 8443
conf_tls_listen = escriba también dónde escuchar: listen_tls = "0.0.0.0:8443"
conf_other_half = escriba también el archivo de la otra mitad: { $missing }
conf_own_names = es para un certificado hecho por nosotros; quítelo
conf_wait = más de { $most } s; escriba menos
conf_between = escriba de { $least } a { $most }
conf_minutes = escriba de { $least } a { $most } minutos
conf_minutes_or_never = escriba de 0 (nunca) a { $most } minutos
conf_or_never = escriba de 0 (nunca) a { $most }
conf_table_number = cada mesa necesita un número desde 1
conf_number_taken = { $number } es ya el número de la [[table]] { $nth } del archivo; escriba otro
conf_place = escriba dónde está su tablero: port o serial
conf_is_clock = { $name } es un reloj y no tiene casillas; escríbalo junto al tablero, como clock = { "{ port = \"…\", driver = \"" }{ $name }{ "\" }" }, y aquí el driver del tablero, o auto
conf_no_search = no se busca ninguna línea para { $name }; escriba su port, o ningún driver aquí
conf_second_where = escriba dónde está: port o serial
conf_clock_taken = el reloj de { $port } es ya el de la mesa { $table }, y un reloj cuenta para una mesa; escriba el port de otro reloj, o ninguno aquí
conf_port_taken = { $port } es ya el de la mesa { $table }, y en una línea hay un tablero; escriba otro port, o solo serial (tableros en un bus: el driver en cada uno)
conf_station_taken = { $station } en { $port } está ya en la mesa { $table }; escriba la station de cada tablero del bus, o el serial de cada uno
conf_serial_taken = { $serial } está ya en la mesa { $table }; escriba otro (dos tableros con el mismo número: el port de cada uno)
conf_two_roles = está también en [web.arbiters]; un organizador puede todo lo que puede un árbitro: escriba el nombre una sola vez
conf_own_name = es un nombre que usa el propio programa; escriba otro
conf_no_hash = no es el resumen de una contraseña; escriba la línea que muestra "adoubed passwd { $name }"
conf_shares = comparte mesas con { $other }; escriba cada mesa una vez
conf_no_tables = "{ $written }" no nombra mesas; escriba números, como 1-40,50
conf_no_delay = no hay diferido; escriba también [public] con delay_s = 900
conf_delay = escriba de { $least } a { $most } segundos, o ningún [public] para no tener diferido
conf_delay_moves = escriba de 0 a { $most } medias jugadas
conf_no_address = "{ $written }" no es una dirección; escriba una dirección y un puerto, como "127.0.0.1:1982"
conf_door_taken = { $written } es ya el de otra puerta; escriba "127.0.0.1:1982"
conf_live_door = quien llegue a { $written } puede leer las mesas sin dar nombre; escriba también [mqtt] hall = "open", o "127.0.0.1:1982" aquí
conf_no_alert = no hay tal tipo de alerta; escriba uno de: { $known }
conf_no_gravity = "{ $written }" no se conoce; escriba note, look o summon
conf_no_edition = no hay tal edición; escriba una de: { $known }
conf_penalties = escriba minutos por cada jugada ilegal (0 a 60, cuatro como máximo), y luego "loss", como [2, "loss"]
conf_penalty_minutes = escriba minutos, de 0 a { $most }
conf_rounds_named = las rondas ya están nombradas; quite esta
conf_no_round = "{ $written }" no es una ronda de Lichess; escriba las ocho letras del final de la dirección de la ronda
conf_round_empty = una de ellas está vacía; quítela
conf_token = escriba el archivo con un token que pueda escribir estudios (study:write)
conf_secret = cualquiera en el camino podría leer el token; escriba https://
conf_file_unread = { $file } no se puede leer: { $why }
conf_refused_at = la configuración sería rechazada: { $file }:{ $line }: { $key }: { $what }
