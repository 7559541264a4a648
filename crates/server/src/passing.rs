//! A connection passed on to the server that leads its game, message by message.

use std::net::IpAddr;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use axum::http::{HeaderMap, header};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message as Passed};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// What a server shows its fellow, and whose connection it passes on.
pub(crate) const FELLOW: &str = "x-tricorne-fellow";
pub(crate) const FOR: &str = "x-tricorne-for";

/// A connection to another server.
pub(crate) type Onward = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Connects to the server that leads a game, as whoever came here.
pub(crate) async fn onward(
    address: &str,
    secret: &str,
    game: &str,
    whose: IpAddr,
    headers: &HeaderMap,
) -> Result<Onward, tungstenite::Error> {
    let mut request = format!("ws://{address}/api/games/{game}/live").into_client_request()?;
    let mut put = |name: &'static str, value: &str| -> Result<(), tungstenite::Error> {
        let value =
            value.parse().map_err(|_| tungstenite::Error::Url(tungstenite::error::UrlError::NoHostName))?;
        request.headers_mut().insert(name, value);
        Ok(())
    };
    put(FELLOW, secret)?;
    put(FOR, &whose.to_string())?;
    if let Some(cookie) = headers.get(header::COOKIE).and_then(|c| c.to_str().ok()) {
        put("cookie", cookie)?;
    }
    if let Some(bearer) = headers.get(header::AUTHORIZATION).and_then(|c| c.to_str().ok()) {
        put("authorization", bearer)?;
    }
    let config = WebSocketConfig::default().max_message_size(Some(64 << 20));
    let (socket, _) = tokio_tungstenite::connect_async_with_config(request, Some(config), true).await?;
    Ok(socket)
}

/// Hands messages on, both ways, until either goes.
pub(crate) async fn hand_on(client: WebSocket, leader: Onward) {
    let (mut to_client, mut from_client) = client.split();
    let (mut to_leader, mut from_leader) = leader.split();
    let there = async {
        while let Some(Ok(message)) = from_client.next().await {
            let passed = match message {
                Message::Text(text) => Passed::text(text.as_str()),
                Message::Binary(bytes) => Passed::Binary(bytes),
                // Each half answers its own.
                Message::Ping(_) | Message::Pong(_) => continue,
                Message::Close(_) => break,
            };
            if to_leader.send(passed).await.is_err() {
                break;
            }
        }
        let _ = to_leader.close().await;
    };
    let back = async {
        let mut end = None;
        while let Some(Ok(message)) = from_leader.next().await {
            let passed = match message {
                Passed::Text(text) => Message::text(text.as_str()),
                Passed::Binary(bytes) => Message::Binary(bytes),
                Passed::Ping(bytes) => Message::Ping(bytes),
                Passed::Pong(_) | Passed::Frame(_) => continue,
                Passed::Close(frame) => {
                    end = frame.map(|f| CloseFrame { code: f.code.into(), reason: f.reason.as_str().into() });
                    break;
                }
            };
            if to_client.send(passed).await.is_err() {
                return;
            }
        }
        // The leader is gone, or stopped: whoever comes again finds another.
        let gone = || CloseFrame { code: 1012, reason: "the server of this game has gone; come back".into() };
        let _ = to_client.send(Message::Close(Some(end.unwrap_or_else(gone)))).await;
    };
    tokio::select! {
        () = there => {}
        () = back => {}
    }
}
