//! Tasks that the daemon cannot do without. If one ends, by a panic or by itself, its name is
//! reported. The caller decides what to do.

use std::future::Future;

use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// Tasks that run until they are ended.
pub struct Tasks {
    set: JoinSet<()>,
    ended: watch::Sender<Option<&'static str>>,
}

/// Reports the name of its task when it is dropped, however the task ended.
struct Vital {
    name: &'static str,
    ended: watch::Sender<Option<&'static str>>,
}

impl Drop for Vital {
    fn drop(&mut self) {
        self.ended.send_if_modified(|first| {
            let free = first.is_none();
            first.get_or_insert(self.name);
            free
        });
    }
}

impl Default for Tasks {
    fn default() -> Self {
        Self { set: JoinSet::new(), ended: watch::Sender::new(None) }
    }
}

impl Tasks {
    /// Starts a task that ends with the others.
    pub fn spawn(&mut self, name: &'static str, task: impl Future<Output = ()> + Send + 'static) {
        let vital = self.vital(name);
        self.set.spawn(async move {
            let _vital = vital;
            task.await;
        });
    }

    /// Starts a task that its caller waits for.
    pub fn spawn_apart(
        &self,
        name: &'static str,
        task: impl Future<Output = ()> + Send + 'static,
    ) -> JoinHandle<()> {
        let vital = self.vital(name);
        tokio::spawn(async move {
            let _vital = vital;
            task.await;
        })
    }

    /// Waits until one of the tasks ends, and returns its name.
    pub async fn ended(&self) -> &'static str {
        let mut ended = self.ended.subscribe();
        // The sender is our own, so the channel is never closed.
        let name = ended.wait_for(Option::is_some).await.ok().and_then(|name| *name);
        name.unwrap_or_default()
    }

    /// Ends all of them.
    pub async fn shutdown(&mut self) {
        self.set.shutdown().await;
    }

    fn vital(&self, name: &'static str) -> Vital {
        Vital { name, ended: self.ended.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_that_ends_is_named_however_it_ends() {
        let mut tasks = Tasks::default();
        tasks.spawn("the one that stays", std::future::pending());
        tasks.spawn("the one that returns", async {});
        assert_eq!(tasks.ended().await, "the one that returns");

        let tasks = Tasks::default();
        let panics = tasks.spawn_apart("the one that panics", async { panic!("on purpose") });
        assert!(panics.await.is_err());
        assert_eq!(tasks.ended().await, "the one that panics");
    }
}
