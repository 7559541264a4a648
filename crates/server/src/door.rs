//! The door: connections let in, so many of one address, and none that sends half a request and waits.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tower::{Service, ServiceExt};

use crate::App;
use crate::patience::Patient;

/// Answers whoever comes, for ever.
pub(crate) async fn keep(listener: TcpListener, app: Arc<App>, router: Router) {
    loop {
        let (stream, address) = match listener.accept().await {
            Ok(come) => come,
            Err(e) => {
                // Out of handles, most likely: those who are in must go before others can come.
                crate::log::note("nobody can be let in", &[("why", &e)]);
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                continue;
            }
        };
        // Behind a proxy every connection is the proxy's; it has limits of its own.
        let most = if app.config.behind_proxy { u32::MAX } else { app.config.limits.connections_per_address };
        let Some(visit) = app.door.enter(network(address.ip()), most.saturating_mul(2)) else { continue };
        // Messages are small and somebody waits for each.
        let _ = stream.set_nodelay(true);
        let limits = app.config.limits.clone();
        let router = router.clone();
        tokio::spawn(async move {
            let service = tower::service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(ConnectInfo(address));
                let mut router = router.clone();
                async move {
                    <Router as ServiceExt<Request<Incoming>>>::ready(&mut router).await?.call(request).await
                }
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                // The head of a request, and of the next one on a connection that is kept: whoever has nothing to ask for so
                // long may come again.
                .header_read_timeout(limits.request)
                .max_buf_size(64 * 1024)
                .serve_connection(
                    TokioIo::new(Patient::new(stream, limits.request)),
                    TowerToHyperService::new(service),
                )
                .with_upgrades();
            // A client that goes in the middle of a word is nobody's fault.
            let _ = connection.await;
            drop(visit);
        });
    }
}

/// Whom an address stands for: one of IPv6 for the whole network that a household or a host is given.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => v4.into(),
            None => {
                let [a, b, c, d, ..] = v6.segments();
                std::net::Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one() {
        let of = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(of("2001:db8:1:2:aaaa::1"), of("2001:db8:1:2:bbbb::2"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(of("192.0.2.7"), "192.0.2.7");
    }
}
