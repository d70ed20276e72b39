//! Requests to servers that answer well, badly, endlessly or not at all.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

/// Long enough for a server that answers.
const WITHIN: Duration = Duration::from_secs(5);

/// A server that answers each connection with the next of these. Returns its address, and the
/// requests it got.
pub async fn server(answers: Vec<Vec<u8>>) -> (Target, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = Target::read(&format!("http://{}/push", listener.local_addr().unwrap())).unwrap();
    let task = tokio::spawn(async move {
        let mut heard = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            heard.push(whole_request(&mut stream).await);
            // A client that has read enough may have gone.
            let _ = stream.write_all(&answer).await;
        }
        heard
    });
    (target, task)
}

async fn whole_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        stream.read_buf(&mut bytes).await.unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.map_or(0, |it| it.parse().unwrap()) {
            return text.into_owned();
        }
    }
}

/// An answer with this head and body.
pub fn answer(head: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let more = format!("Content-Length: {length}\r\nConnection: close");
    format!("HTTP/1.1 {head}\r\n{more}\r\n\r\n{body}").into_bytes()
}

async fn post(target: &Target, within: Duration) -> Result<Answer, Trouble> {
    let mut client = Client::new(target, Path::new(""), within).unwrap();
    client.post(target, HeaderMap::new(), Bytes::from_static(b"1. e4 *\n")).await
}

#[test]
fn addresses() {
    let read = |url: &str| Target::read(url).map(|it| (it.encrypted, it.server(), it.path));
    let good = |encrypted, server: &str, path: &str| Ok((encrypted, server.into(), path.into()));
    assert_eq!(read("https://lichess.org"), good(true, "lichess.org", "/"));
    assert_eq!(read("https://ntfy.sh:444/hall?x=1"), good(true, "ntfy.sh:444", "/hall?x=1"));
    assert_eq!(read("http://[::1]:80/a"), good(false, "[::1]", "/a"));
    for bad in ["ntfy.sh/hall", "ftp://a/b", "https://", "mqtt://hall", "https://a b", ""] {
        assert!(read(bad).is_err(), "{bad}");
    }
    let answer = read("https://me:secret@ntfy.sh/hall").unwrap_err();
    assert!(answer.contains("token_file") && !answer.contains("secret"), "{answer}");
    let here = |url: &str| Target::read(url).unwrap().is_here();
    assert!(here("http://127.0.0.1:1/") && here("http://localhost/") && here("http://[::1]/"));
    assert!(!here("http://127.example/") && !here("http://10.0.0.1/"));
    let below = Target::read("https://a/").unwrap().below("/api/push");
    assert_eq!(below.path, "/api/push");
}

#[tokio::test]
async fn a_request_says_what_it_is_and_its_answer_is_read() {
    let (target, task) = server(vec![answer("429 Slow Down\r\nRetry-After: 17", "later")]).await;
    let answer = post(&target, WITHIN).await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.body.as_slice()), (429, &b"later"[..]));
    assert_eq!((answer.retry_after, answer.whole), (Some(Duration::from_secs(17)), true));
    let heard = task.await.unwrap().remove(0);
    assert!(heard.starts_with("POST /push HTTP/1.1\r\n"), "{heard}");
    assert!(heard.contains(&format!("host: {}\r\n", target.server())), "{heard}");
    assert!(heard.contains("user-agent: adoubed/") && heard.ends_with("\r\n\r\n1. e4 *\n"));
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_leads_nowhere() {
    let (other, elsewhere) = server(vec![answer("200 OK", "")]).await;
    let moved = format!("307 Moved\r\nLocation: http://{}/", other.server());
    let (target, _task) = server(vec![answer(&moved, "")]).await;
    assert_eq!(post(&target, WITHIN).await.unwrap().status.as_u16(), 307);
    assert!(!elsewhere.is_finished());
    elsewhere.abort();
}

#[tokio::test]
async fn an_answer_without_end_is_read_as_far_as_there_is_room() {
    let (target, _task) = server(vec![answer("200 OK", &"x".repeat(3 * ANSWER_MAX))]).await;
    let answer = post(&target, WITHIN).await.unwrap();
    assert_eq!((answer.body.len(), answer.whole), (ANSWER_MAX, false));
}

#[tokio::test]
async fn whoever_is_silent_cut_off_or_no_server_is_a_trouble_of_its_own() {
    let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"games\"".to_vec();
    for bytes in [cut, b"HTTP/1.1 200 OK\r\nContent-Le".to_vec(), b"SSH-2.0-x\r\n".to_vec()] {
        let (target, _task) = server(vec![bytes]).await;
        let answer = post(&target, WITHIN).await.unwrap_err();
        assert!(matches!(answer, Trouble::Cut(_)), "{answer}");
    }
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let target = Target::read(&address).unwrap();
    let soon = Duration::from_millis(50);
    assert_eq!(post(&target, soon).await.unwrap_err(), Trouble::Slow);
    drop(silent);
    let answer = post(&target, WITHIN).await.unwrap_err();
    assert!(matches!(answer, Trouble::Unreachable(_)), "{answer}");
}

#[tokio::test]
async fn a_connection_is_kept_and_one_that_has_gone_is_made_anew() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = Target::read(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let task = tokio::spawn(async move {
        let mut requests = [0, 0];
        for (connection, most) in [2, 1].into_iter().enumerate() {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut bytes = vec![0; 4096];
            for _ in 0..most {
                assert_ne!(stream.read(&mut bytes).await.unwrap(), 0);
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await.unwrap();
                requests[connection] += 1;
            }
        }
        requests
    });
    let mut client = Client::new(&target, Path::new(""), WITHIN).unwrap().keeping();
    for _ in 0..3 {
        let answer = client.post(&target, HeaderMap::new(), Bytes::new()).await.unwrap();
        assert_eq!(answer.status.as_u16(), 200);
    }
    assert_eq!(task.await.unwrap(), [2, 1]);
}

#[test]
fn a_server_says_how_long_to_wait_in_seconds_or_as_a_date() {
    let now = WallTime::parse("2026-11-20T14:00:00Z").unwrap();
    let wait = |text: &str| wait_of(text, now).map(|it| it.as_secs());
    assert_eq!(wait("60"), Some(60));
    assert_eq!(wait("Fri, 20 Nov 2026 14:01:30 GMT"), Some(90));
    assert_eq!(wait("Fri, 20 Nov 2026 13:00:00 GMT"), Some(0));
    assert_eq!(wait("999999"), Some(3600));
    assert_eq!(wait("soon"), None);
}

#[test]
fn addresses_of_both_kinds_are_tried_alternately() {
    let all = ["[::1]:1", "[::2]:1", "[::3]:1", "1.1.1.1:1"].map(|it| it.parse().unwrap());
    let answer: Vec<_> = alternately(all.to_vec()).iter().map(ToString::to_string).collect();
    assert_eq!(answer, ["[::1]:1", "1.1.1.1:1", "[::2]:1", "[::3]:1"]);
}
