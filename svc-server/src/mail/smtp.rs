//! Hands one mail to the mail server, over a connection of its own: mails are few.

use std::fmt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use lettre::message::header::{
    ContentTransferEncoding, ContentType, Header, HeaderName, HeaderValue,
};
use lettre::message::{Body, Mailbox, Message};
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, Certificate, CertificateStore, TlsParameters,
};
use lettre::transport::smtp::extension::ClientId;
use svc_core::config::{Config, MailSettings, Relay, RelayTls};
use svc_core::services::mail::{Mail, Outcome};
use svc_store::error::{Error, Result};
use tokio::sync::Mutex;

#[cfg(feature = "testing")]
use super::Recorder;

/// Time for the farewell after a mail was accepted.
const QUIT_TIME: Duration = Duration::from_secs(1);

/// Longest line of a mail (RFC 5322).
const LINE_MAX: usize = 998;

/// Hands mails to the mail server.
pub struct Mailer {
    settings: MailSettings,
    relay: Option<Relay>,
    from: String,
    /// Held by the round that sends: two rounds of one process would share no work.
    pub(super) sending: Mutex<()>,
    #[cfg(feature = "testing")]
    recorder: std::sync::OnceLock<Recorder>,
}

impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailer").field("from", &self.from).finish_non_exhaustive()
    }
}

/// Why a mail was not accepted.
enum Failure {
    /// The server was not reached, did not answer in time, or takes no mail from us at present.
    Connection(SmtpError),
    /// The server refused the mail itself.
    Mail(SmtpError),
    /// The mail can't be built.
    Message(Box<dyn std::error::Error + Send + Sync>),
    /// It took too long.
    Time,
}

/// Tells programs that answer mail not to (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

impl Mailer {
    /// The mailer of these settings.
    pub fn of(config: &Config, public_url: &str) -> Self {
        let checked = "the settings were checked when they were loaded";
        Self {
            relay: config.mail.relay().expect(checked),
            from: config.mail.from(public_url).expect(checked),
            settings: config.mail.clone(),
            sending: Mutex::new(()),
            #[cfg(feature = "testing")]
            recorder: std::sync::OnceLock::new(),
        }
    }

    /// Refuses certificates that can't be read, before the first mail needs them.
    pub async fn check(&self) -> Result<()> {
        let Some(relay) = &self.relay else { return Ok(()) };
        let tls = self.tls(&relay.host).await;
        tls.map(|_| ()).map_err(|error| Error::setup(format!("mail.ca_file: {error}")))
    }

    /// Records mails instead of sending them.
    #[cfg(feature = "testing")]
    pub fn record(&self) -> Recorder {
        self.recorder.get_or_init(Recorder::default).clone()
    }

    /// Hands a mail in, within the time for it.
    pub(super) async fn send(&self, mail: &Mail) -> Outcome {
        #[cfg(feature = "testing")]
        if let Some(recorder) = self.recorder.get() {
            recorder.note(mail);
            return Outcome::Accepted;
        }
        let Some(relay) = &self.relay else { return Outcome::Failed };
        let sending = tokio::time::timeout(self.settings.timeout, self.hand_in(relay, mail));
        let failure = match sending.await {
            Ok(Ok(())) => return Outcome::Accepted,
            Ok(Err(failure)) => failure,
            Err(_) => Failure::Time,
        };
        // Answers of mail servers repeat addresses, which do not belong in the log.
        tracing::warn!(mail = %mail.id, kind = mail.kind, attempt = mail.attempt, %failure,
            "a mail was not accepted");
        failure.outcome()
    }

    async fn hand_in(&self, relay: &Relay, mail: &Mail) -> Result<(), Failure> {
        let message = self.message(mail).map_err(Failure::Message)?;
        let mut connection = self.connect(relay).await?;
        let sent = connection.send(message.envelope(), &message.formatted()).await;
        sent.map_err(Failure::Mail)?;
        // It is accepted whatever follows.
        let _ = tokio::time::timeout(QUIT_TIME, connection.quit()).await;
        Ok(())
    }

    /// Connects and signs in, protected as the settings demand.
    async fn connect(&self, relay: &Relay) -> Result<AsyncSmtpConnection, Failure> {
        let name = self.name();
        let tls = match relay.tls {
            RelayTls::None => None,
            RelayTls::Start | RelayTls::Whole => {
                Some(self.tls(&relay.host).await.map_err(Failure::Message)?)
            }
        };
        let (whole, start) = if relay.tls == RelayTls::Whole { (tls, None) } else { (None, tls) };
        let (server, timeout) = ((&*relay.host, relay.port), Some(self.settings.timeout));
        let connecting = AsyncSmtpConnection::connect_tokio1(server, timeout, &name, whole, None);
        let mut connection = connecting.await.map_err(Failure::Connection)?;
        if let Some(start) = start {
            connection.starttls(start, &name).await.map_err(Failure::Connection)?;
        }
        if let Some((user, password)) = relay.credentials.clone() {
            let credentials = Credentials::new(user, password);
            let signing_in = connection.auth(DEFAULT_MECHANISMS, &credentials);
            signing_in.await.map_err(Failure::Connection)?;
        }
        Ok(connection)
    }

    /// What the server's certificate is checked against. The file is read each time, so that changes
    /// need no restart.
    async fn tls(
        &self,
        host: &str,
    ) -> Result<TlsParameters, Box<dyn std::error::Error + Send + Sync>> {
        let (host, ca_file) = (host.to_owned(), self.settings.ca_file.clone());
        let reading = tokio::task::spawn_blocking(move || tls(host, &ca_file));
        reading.await?
    }

    /// The name in the greeting: the domain that the mails come from.
    fn name(&self) -> ClientId {
        let domain = self.from.rsplit('@').next().unwrap_or("localhost");
        ClientId::Domain(domain.to_owned())
    }

    /// The whole mail. The library encodes what a header can't hold, so that no text ends a header.
    fn message(&self, mail: &Mail) -> Result<Message, Box<dyn std::error::Error + Send + Sync>> {
        let (from, to) = (self.from.parse()?, mail.recipient.parse()?);
        let millis = u64::try_from(mail.created_at.as_millis())?;
        let id = format!("<{}@{}>", mail.id, self.from.rsplit('@').next().unwrap_or("localhost"));
        let message = Message::builder()
            .from(Mailbox::new(None, from))
            .to(Mailbox::new(None, to))
            .subject(&*mail.subject)
            .date(SystemTime::UNIX_EPOCH + Duration::from_millis(millis))
            .message_id(Some(id))
            .header(AutoSubmitted)
            .header(ContentType::TEXT_PLAIN)
            .body(body(&mail.text))?;
        Ok(message)
    }
}

impl Failure {
    /// Whether another try makes sense. A mail that the server refuses for good is given up; a
    /// server that does not let us in is the operator's matter, and the mail waits.
    fn outcome(&self) -> Outcome {
        match self {
            Self::Mail(error) if error.is_permanent() => Outcome::Refused,
            Self::Mail(_) | Self::Connection(_) | Self::Message(_) | Self::Time => Outcome::Failed,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(error) | Self::Mail(error) => match error.status() {
                Some(status) => write!(f, "the mail server answered {status}"),
                None => write!(f, "{error}"),
            },
            Self::Message(error) => write!(f, "{error}"),
            Self::Time => f.write_str("the mail server did not answer in time"),
        }
    }
}

/// Unencoded where possible, so that programs too find the link on one line.
fn body(text: &str) -> Body {
    let is_plain = text.is_ascii() && text.lines().all(|line| line.len() <= LINE_MAX);
    if !is_plain {
        return Body::new(text.to_owned());
    }
    let lines = text.replace('\n', "\r\n").into_bytes();
    Body::dangerous_pre_encoded(lines, ContentTransferEncoding::SevenBit)
}

fn tls(
    host: String,
    ca_file: &Path,
) -> Result<TlsParameters, Box<dyn std::error::Error + Send + Sync>> {
    let builder = TlsParameters::builder(host);
    if ca_file.as_os_str().is_empty() {
        return Ok(builder.build()?);
    }
    let certificates = Certificate::from_pem(&std::fs::read(ca_file)?)?;
    let builder = builder.certificate_store(CertificateStore::None);
    Ok(builder.add_root_certificate(certificates).build()?)
}
