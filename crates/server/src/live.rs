//! A connection for live play: it hands requests to the game's table and what the table says to the client.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, timeout};

use crate::accounts;
use crate::error::ApiError;
use crate::fellows::{Led, PATIENCE};
use crate::gate::{Bucket, Visit};
use crate::hall::Hall;
use crate::messages::{Ask, Refused, Request, Say};
use crate::sitting::Note;
use crate::turn::Who;
use crate::untaken::Outbox;
use crate::{App, MESSAGE_SIZE, light, passing};

/// Upgrades a request to a connection.
pub(crate) async fn live(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let fellow = headers.get(passing::FELLOW).and_then(|f| f.to_str().ok());
    let fellow = app.others.any() && fellow.is_some_and(|secret| app.is_ours(secret));
    let visit = if fellow { among(&app, address)? } else { enter(&app, address, &headers)? };
    let user = accounts::user(&app, &headers).await?;
    // A fellow has found out that we lead it.
    if !fellow && app.others.any() && app.store.game(&game).await?.is_some() {
        let onward = leader(&app, &game, address, &headers).await?;
        if let Some(onward) = onward {
            return Ok(small(upgrade).on_upgrade(move |socket| async move {
                passing::hand_on(socket, onward).await;
                drop(visit);
            }));
        }
    }
    Ok(small(upgrade).on_upgrade(move |socket| serve(app, game, user, address, socket, visit)))
}

/// A way to the server that leads a game; none if we do. One that has just gone is waited for until another has taken over.
async fn leader(
    app: &App,
    game: &str,
    address: SocketAddr,
    headers: &HeaderMap,
) -> Result<Option<passing::Onward>, ApiError> {
    let late = Instant::now() + PATIENCE;
    loop {
        let why = match app.others.led(game).await? {
            Led::Here => return Ok(None),
            Led::There { address: there, secret } => {
                match passing::onward(&there, &secret, game, address.ip(), headers).await {
                    Ok(onward) => return Ok(Some(onward)),
                    Err(why) => why,
                }
            }
        };
        if Instant::now() > late {
            return Err(ApiError::internal(&why));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// A connection that a fellow passes on is counted for whoever it is of.
fn among(app: &App, address: SocketAddr) -> Result<Visit, ApiError> {
    app.gate.enter(address.ip(), u32::MAX).ok_or_else(ApiError::too_fast)
}

/// Lets an address in, if the request is from a page of this site and there are not too many of it.
pub(crate) fn enter(app: &App, address: SocketAddr, headers: &HeaderMap) -> Result<Visit, ApiError> {
    same_origin(headers)?;
    app.gate.enter(address.ip(), app.config.limits.connections_per_address).ok_or_else(|| {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_fast", "too many connections from your address")
    })
}

/// A connection with small buffers: the default ones are large, and a club has many idle connections.
pub(crate) fn small(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade
        .max_message_size(MESSAGE_SIZE)
        .max_frame_size(MESSAGE_SIZE)
        .read_buffer_size(4 * 1024)
        .write_buffer_size(0)
}

/// A page of another site must not open a connection with this site's cookie.
fn same_origin(headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name| headers.get(name).and_then(|v: &axum::http::HeaderValue| v.to_str().ok());
    let (Some(origin), Some(host)) = (text(header::ORIGIN), text(header::HOST)) else { return Ok(()) };
    let place = origin.split_once("://").map_or(origin, |(_, place)| place);
    if place.eq_ignore_ascii_case(host) {
        Ok(())
    } else {
        Err(ApiError::new(StatusCode::FORBIDDEN, "not_yours", "a page of another site may not connect here"))
    }
}

enum End {
    /// The client went, or the connection broke.
    Gone,
    /// We close it, with a code and why.
    Close(u16, &'static str),
}

async fn serve(
    app: Arc<App>,
    game: String,
    user: Option<String>,
    address: SocketAddr,
    socket: WebSocket,
    visit: Visit,
) {
    static CONNECTIONS: AtomicU64 = AtomicU64::new(0);
    let connection = CONNECTIONS.fetch_add(1, Ordering::Relaxed);
    app.metrics.live.fetch_add(1, Ordering::Relaxed);
    let (mut sink, mut stream) = socket.split();
    let (out, mut waiting) = Outbox::new(&app.untaken, address.ip());
    let (close, mut closing) = oneshot::channel::<(u16, &'static str)>();
    let packed = Arc::new(AtomicBool::new(false));
    let unpacks = Arc::clone(&packed);
    let frame = move |text: String| {
        let bytes = if unpacks.load(Ordering::Relaxed) { light::message(&text) } else { None };
        bytes.map_or_else(|| Message::text(text), Message::Binary)
    };

    // One task writes, so that a slow client never holds up reading.
    let pings = app.config.limits.ping;
    let writer = tokio::spawn(async move {
        let mut beat = tokio::time::interval_at(Instant::now() + pings, pings);
        loop {
            // It is counted until it is sent.
            let mut counted = None;
            let message = tokio::select! {
                message = waiting.recv() => match message {
                    Some(message) => frame(counted.insert(message).text()),
                    None => return,
                },
                end = &mut closing => {
                    while let Ok(mut message) = waiting.try_recv() {
                        if sink.send(frame(message.text())).await.is_err() {
                            return;
                        }
                    }
                    if let Ok((code, why)) = end {
                        let _ = closing_frame(&mut sink, code, why).await;
                    }
                    return;
                }
                _ = beat.tick() => Message::Ping(Bytes::new()),
            };
            // A client that takes nothing for so long is gone.
            match timeout(Duration::from_secs(30), sink.send(message)).await {
                Ok(Ok(())) => {}
                _ => return,
            }
        }
    });

    let mut writer = writer;
    let too_slow = Arc::new(Notify::new());
    let who = Who { address: address.ip(), connection };
    let me = Connection { who, user, out, too_slow: Arc::clone(&too_slow), packed };
    let end = tokio::select! {
        end = listen(&app, &game, &me, &mut stream) => end,
        () = too_slow.notified() => End::Close(1013, "you were too slow; come back"),
        _ = &mut writer => End::Gone,
    };
    Hall::tell(&app, &game, Note::Leave { connection }).await;
    if let End::Close(code, why) = end {
        let _ = close.send((code, why));
        let _ = timeout(Duration::from_secs(5), &mut writer).await;
        // The rest of a message that is too big is still on its way. Closing now would reset the connection and the
        // client might never read why; so we wait a moment for it to close.
        let _ = timeout(Duration::from_secs(2), async {
            while stream.next().await.is_some_and(|m| m.is_ok()) {}
        })
        .await;
        if code == 1009 {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
    writer.abort();
    app.metrics.live.fetch_sub(1, Ordering::Relaxed);
    drop(visit);
}

async fn closing_frame(
    sink: &mut (impl SinkExt<Message, Error = axum::Error> + Unpin),
    code: u16,
    why: &'static str,
) -> Result<(), axum::Error> {
    sink.send(Message::Close(Some(CloseFrame { code, reason: Cow::Borrowed(why).as_ref().into() }))).await
}

/// Who a connection is to the table.
struct Connection {
    who: Who,
    user: Option<String>,
    out: Outbox,
    too_slow: Arc<Notify>,
    /// Whether it said that it unpacks long messages.
    packed: Arc<AtomicBool>,
}

async fn listen(
    app: &Arc<App>,
    game: &str,
    me: &Connection,
    stream: &mut (impl StreamExt<Item = Result<Message, axum::Error>> + Unpin),
) -> End {
    let limits = &app.config.limits;
    let out = &me.out;
    let mut bucket = Bucket::full(limits.messages_burst);
    let mut too_fast = 0_u32;
    let mut in_the_game = false;
    let mut tries = 0;
    let late = Instant::now() + limits.hello;
    loop {
        let next = if in_the_game {
            // It is asked again and again whether it is there; one that never answers is gone without a word.
            match timeout(limits.ping * 4, stream.next()).await {
                Ok(next) => next,
                Err(_) => return End::Gone,
            }
        } else {
            match tokio::time::timeout_at(late, stream.next()).await {
                Ok(next) => next,
                Err(_) => return End::Close(1008, "no hello came"),
            }
        };
        let text = match next {
            Some(Ok(Message::Text(text))) => text,
            // What is no request is counted like one.
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Binary(_)))
                if !bucket.take(limits.messages_per_second, limits.messages_burst) =>
            {
                return End::Close(1008, "too many messages");
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            Some(Ok(Message::Binary(_))) => {
                refuse(out, None, Refused::new("malformed", "messages are text"));
                continue;
            }
            Some(Err(e)) if too_long(&e) => {
                let why = format!("a message is at most {} KiB", MESSAGE_SIZE / 1024);
                refuse(out, None, Refused::new("too_big", why));
                return End::Close(1009, "the message is too big");
            }
            Some(Ok(Message::Close(_)) | Err(_)) | None => return End::Gone,
        };
        if !bucket.take(limits.messages_per_second, limits.messages_burst) {
            too_fast += 1;
            // The first is told; a flood is not answered message by message.
            if too_fast == 1 {
                refuse(out, None, Refused::new("too_fast", "too many messages; this one was not looked at"));
            }
            if too_fast > limits.messages_burst {
                return End::Close(1008, "too many messages");
            }
            continue;
        }
        too_fast = 0;
        let request = match Request::read(&text) {
            Ok(request) => request,
            Err((id, why)) => {
                refuse(out, id, Refused::new("malformed", why));
                continue;
            }
        };
        match (request.ask, in_the_game) {
            (Ask::Hello(hello), false) => {
                tries += 1;
                if tries > 5 {
                    return End::Close(1008, "too many tries");
                }
                me.packed.store(hello.packed, Ordering::Relaxed);
                let (let_in, answer) = oneshot::channel();
                let note = Note::Join {
                    who: me.who,
                    hello,
                    user: me.user.clone(),
                    out: out.clone(),
                    too_slow: Arc::clone(&me.too_slow),
                    let_in,
                };
                Hall::tell(app, game, note).await;
                in_the_game = answer.await.unwrap_or(false);
            }
            (_, false) => {
                let why = "say who you are first: {\"hello\": {\"token\": …}}, or {\"hello\": {}} to watch";
                refuse(out, request.id, Refused::new("hello_first", why));
            }
            (ask, true) => {
                Hall::tell(app, game, Note::Ask { connection: me.who.connection, id: request.id, ask }).await;
            }
        }
    }
}

fn refuse(out: &Outbox, id: Option<u64>, refused: Refused) {
    // A client that reads nothing is let go by its table; there is nobody to tell.
    out.put(Say::Refused(refused).text(id));
}

/// Whether an error says that a message was over the limit.
fn too_long(e: &axum::Error) -> bool {
    // axum hides the type of the error; its text is all there is.
    let text = e.to_string();
    text.contains("too long") || text.contains("too large") || text.contains("too big")
}
