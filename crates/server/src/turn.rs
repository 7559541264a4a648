//! Whose work it is, and work done in its turn, beside everything else.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, StatusCode};
use tokio::task::spawn_blocking;

use crate::App;
use crate::error::ApiError;
use crate::shares::{Shares, Turn};

/// Whom work is counted for: the network a request came from, and which of its connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Who {
    pub(crate) address: IpAddr,
    pub(crate) connection: u64,
}

impl Who {
    /// The server itself, for what nobody asked for.
    pub(crate) const HOUSE: Who = Who { address: IpAddr::V4(Ipv4Addr::UNSPECIFIED), connection: 0 };

    /// Whoever asks for this.
    pub(crate) fn of(extensions: &Extensions) -> Self {
        let from = extensions.get::<ConnectInfo<SocketAddr>>();
        from.map_or(Self::HOUSE, |ConnectInfo(address)| Self { address: address.ip(), connection: 0 })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Who {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.extensions))
    }
}

impl App {
    /// Does long work for somebody when it is their turn, in the workroom, where it stalls nobody.
    pub(crate) async fn long<R: Send + 'static>(
        &self,
        who: Who,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, ApiError> {
        let turn = turn_at(&self.long, who).await?;
        // The place is held by the work itself: whoever goes away before it is done still had it.
        let done = self.workroom.does(move || {
            let done = work();
            drop(turn);
            done
        });
        done.await.map_err(|e| ApiError::internal(&e))
    }

    /// The same for what somebody waits for with a hand on the table, and what goes by the clock: at places of its own, on a
    /// thread that comes no later than others.
    pub(crate) async fn soon<R: Send + 'static>(
        &self,
        who: Who,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, ApiError> {
        let turn = turn_at(&self.soon, who).await?;
        let done = spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        });
        Ok(done.await?)
    }
}

async fn turn_at(shares: &Arc<Shares<IpAddr>>, who: Who) -> Result<Turn<IpAddr>, ApiError> {
    shares.turn(who.address, who.connection, 0).await.map_err(|_| {
        ApiError::new(
            StatusCode::TOO_MANY_REQUESTS,
            "busy",
            "much that you asked for is still being worked on; try again when some of it is done",
        )
    })
}
