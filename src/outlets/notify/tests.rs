//! Attempt by attempt: summons to a service with given answers.

use axum::http::StatusCode;
use tokio::sync::watch;

use super::*;
use crate::net::post::tests::{answer, server};

const ALERT: &str = r#"{
    "id": "7-1-2", "kind": "illegal_move", "article": "7.5.1", "table": 7,
    "gravity": "summon", "state": "open", "opened_at": "2026-11-20T14:00:00Z",
    "text": {"en": "Illegal move.", "fr": "Coup illégal."},
    "players": {"white": {"name": "Doe, Jane"}, "black": {"name": "Roe, Max"}}
}"#;

fn summons() -> Summons {
    serde_json::from_str(ALERT).unwrap()
}

#[test]
fn a_summons_says_where_and_what_and_leads_to_the_alert() {
    let mut config = Config::default();
    config.notify.pages = "https://hall.local:8443".to_owned();
    let headers_sent = headers(&config, &summons());
    let field = |name: &str| headers_sent.get(name).and_then(|it| it.to_str().ok());
    assert_eq!(field("title"), Some("Table 7 (7.5.1)"));
    assert_eq!(field("priority"), Some("high"));
    assert_eq!(field("tags"), Some("rotating_light,illegal_move"));
    assert_eq!(field("click"), Some("https://hall.local:8443/arbiter#/alert/7-1-2"));
    assert_eq!(headers(&Config::default(), &summons()).get("click"), None);
}

#[test]
fn what_would_be_answered_again_is_not_tried_again() {
    let judged = |status| {
        let status = StatusCode::from_u16(status).unwrap();
        let retry_after = Some(Duration::from_secs(9));
        let body = b"{\"error\":\"no\"}".to_vec();
        judge(&Answer { status, retry_after, body, whole: true }, None)
    };
    assert_eq!(judged(200).unwrap(), 200);
    for (status, is_final) in [(301, true), (403, true), (404, true), (429, false), (503, false)] {
        let fault = judged(status).unwrap_err();
        assert_eq!((fault.is_final, fault.status), (is_final, Some(status)));
        assert_eq!(fault.said_wait.is_some(), !is_final, "{status}");
    }
}

/// A herald that has one summons to send, to a server with these answers.
async fn herald(answers: Vec<Vec<u8>>) -> (Herald, tokio::task::JoinHandle<Vec<String>>) {
    let (target, task) = server(answers).await;
    let mut config = Config::default();
    config.notify.url = format!("http://{}/hall", target.server());
    let (_sender, settings) = watch::channel(Arc::new(config));
    let (heard, reports) = (Arc::<Heard>::default(), Arc::<Reports>::default());
    let mut alert: serde_json::Value = serde_json::from_str(ALERT).unwrap();
    alert["opened_at"] = wall_now().rfc3339().into();
    heard.take(vec![(Topic::Alert("7-1-2".into()), alert.to_string().into_bytes())]);
    (Herald::new(settings, heard, reports), task)
}

/// Makes all attempts. Returns the waits between them, in seconds.
async fn attempts(herald: &mut Herald) -> Vec<u64> {
    let config = Arc::clone(&herald.settings.borrow());
    let mut waits = Vec::new();
    loop {
        let next = herald.heard.waiting().next(wall_now());
        let Some(summons) = next else { return waits };
        waits.extend(herald.send(&config, &summons).await.map(|wait| wait.as_secs()));
    }
}

fn report(herald: &Herald) -> (bool, String) {
    let report = herald.reports.all(true).remove(NAME).unwrap();
    (report.works, report.last)
}

#[tokio::test]
async fn a_summons_is_posted_once() {
    let (mut herald, task) = herald(vec![answer("200 OK", "{\"id\":\"x\"}")]).await;
    assert_eq!(attempts(&mut herald).await, [0]);
    assert_eq!(report(&herald), (true, "200: the summons to table 7 was taken".to_owned()));
    let heard = task.await.unwrap().remove(0);
    assert!(heard.starts_with("POST /hall HTTP/1.1\r\n"), "{heard}");
    assert!(heard.contains("title: Table 7 (7.5.1)\r\n"), "{heard}");
    assert!(heard.ends_with("\r\n\r\nIllegal move.") && !heard.contains("Doe"), "{heard}");
}

#[tokio::test]
async fn a_service_that_fails_is_tried_five_times_and_one_that_refuses_once() {
    let failing = || answer("503 Away", "later");
    let (mut herald_of, task) = herald((0..5).map(|_| failing()).collect()).await;
    assert_eq!(attempts(&mut herald_of).await.len(), 5);
    assert_eq!(report(&herald_of), (false, "503: later".to_owned()));
    assert_eq!((task.await.unwrap().len(), herald_of.heard.waiting().dropped), (5, 1));
    let (mut herald_of, _task) = herald(vec![answer("403 No", "{\"error\":\"forbidden\"}")]).await;
    assert_eq!(attempts(&mut herald_of).await.len(), 1);
    let (mut herald_of, _task) =
        herald(vec![answer("429 No\r\nRetry-After: 9", ""), answer("200 OK", "")]).await;
    assert_eq!(attempts(&mut herald_of).await, [9, 0]);
}
