//! Clients of the kinds of stores, with credentials and settings from the environment.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::client::{HttpClient, HttpConnector};
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::{ClientConfigKey, ClientOptions, ObjectStore, RetryConfig};

/// Requests as a whole have no real limit of time here, since large objects take long; `requests` watches them instead.
const LONGEST: Duration = Duration::from_secs(86_400);
/// Seconds in which a connection must be there.
const CONNECTING: u64 = 10;

/// Connects to servers, and follows no redirection: a server could have a request sent to another one, with its credentials.
#[derive(Debug)]
struct Direct;

impl HttpConnector for Direct {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let value = |key| options.get_config_value(&key);
        let allows_http = value(ClientConfigKey::AllowHttp).is_some_and(|value| value == "true");
        let seconds = value(ClientConfigKey::ConnectTimeout);
        let seconds = seconds.and_then(|text| text.strip_suffix('s')?.parse().ok());
        let client = reqwest::Client::builder()
            .user_agent(concat!("rigy-batch/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .https_only(!allows_http)
            .http1_only()
            .connect_timeout(Duration::from_secs(seconds.unwrap_or(CONNECTING)))
            .timeout(LONGEST)
            .build();
        let client = client.map_err(|source| object_store::Error::Generic {
            store: "HTTP",
            source: Box::new(source),
        })?;
        Ok(HttpClient::new(client))
    }
}

/// Returns a client for a bucket, given as its URL.
///
/// # Errors
/// If the scheme is unknown, or settings in the environment are malformed.
pub(super) fn client(base: &str) -> io::Result<Arc<dyn ObjectStore>> {
    let (scheme, bucket) = base.split_once("://").unwrap_or((base, ""));
    if bucket.is_empty() {
        let message = format!("the name of the bucket is missing: write {scheme}://BUCKET/PREFIX");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    check_bucket(bucket)?;
    check_environment()?;
    check_endpoint(scheme)?;
    // Another part of the process may have chosen one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = match scheme {
        "s3" => amazon(bucket),
        "gs" => google(bucket),
        "az" => microsoft(bucket),
        _ => {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "no such kind of store",
            ));
        }
    };
    client.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))
}

fn amazon(bucket: &str) -> object_store::Result<Arc<dyn ObjectStore>> {
    let builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
    let builder = builder.with_http_connector(Direct);
    Ok(Arc::new(builder.with_retry(unrepeated()).build()?))
}

fn google(bucket: &str) -> object_store::Result<Arc<dyn ObjectStore>> {
    let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket);
    let builder = builder.with_http_connector(Direct);
    Ok(Arc::new(builder.with_retry(unrepeated()).build()?))
}

fn microsoft(container: &str) -> object_store::Result<Arc<dyn ObjectStore>> {
    let builder = MicrosoftAzureBuilder::from_env().with_container_name(container);
    let builder = builder.with_http_connector(Direct);
    Ok(Arc::new(builder.with_retry(unrepeated()).build()?))
}

/// Checks that the name of a bucket has characters that such names may have.
fn check_bucket(bucket: &str) -> io::Result<()> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    match bucket.bytes().all(is_plain) {
        true => Ok(()),
        false => refused(format!(
            "`{}` is no name of a bucket; they have letters, digits, `.`, `_` and `-`",
            bucket.escape_debug()
        )),
    }
}

/// Checks that no setting has a character that a request cannot have.
fn check_environment() -> io::Result<()> {
    for (name, value) in std::env::vars_os() {
        let name = name.to_string_lossy();
        let is_setting = ["AWS_", "AZURE_", "GOOGLE_"]
            .iter()
            .any(|start| name.starts_with(start));
        let is_plain = |byte: &u8| (b' '..=b'~').contains(byte);
        if is_setting && !value.as_encoded_bytes().iter().all(is_plain) {
            return refused(format!(
                "the variable {name} has a character that no setting has, such as a line break"
            ));
        }
    }
    Ok(())
}

/// Checks the address of a server in the environment. One without TLS must be allowed, or every request would fail.
fn check_endpoint(scheme: &str) -> io::Result<()> {
    let names = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];
    let variables = names.map(|name| (name, std::env::var(name)));
    let is_allowed = std::env::var("AWS_ALLOW_HTTP")
        .is_ok_and(|value| ["1", "true", "yes", "on", "y"].contains(&&*value.to_ascii_lowercase()));
    for (name, value) in variables {
        let Ok(value) = value else { continue };
        let url = reqwest::Url::parse(&value).ok();
        let url = url.filter(|url| url.has_host() && matches!(url.scheme(), "http" | "https"));
        match url {
            _ if scheme != "s3" => {}
            None => {
                return refused(format!(
                    "{name} is no URL of a server, such as https://host:9000; mend or unset it"
                ));
            }
            Some(url) if url.scheme() == "http" && !is_allowed => {
                return refused(format!(
                    "{name} has no TLS (http://); set AWS_ALLOW_HTTP=true to use it nevertheless"
                ));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn refused(message: String) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// Requests are repeated by `requests`, which counts them.
fn unrepeated() -> RetryConfig {
    RetryConfig {
        max_retries: 0,
        ..RetryConfig::default()
    }
}
