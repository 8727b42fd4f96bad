//! Clients of the kinds of stores, with credentials and settings from the environment.

use std::io;
use std::sync::Arc;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::{ClientConfigKey, ObjectStore, RetryConfig};

/// Settings of connections. Requests as a whole have no limit of time here, since large objects take long; `requests` watches
/// them instead.
const SETTINGS: [(ClientConfigKey, &str); 2] = [
    (ClientConfigKey::ConnectTimeout, "10 seconds"),
    (ClientConfigKey::Timeout, "1 day"),
];

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
    refuse_plain_text(scheme)?;
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
    let builder = SETTINGS.into_iter().fold(builder, |builder, (key, value)| {
        builder.with_config(AmazonS3ConfigKey::Client(key), value)
    });
    Ok(Arc::new(builder.with_retry(unrepeated()).build()?))
}

fn google(bucket: &str) -> object_store::Result<Arc<dyn ObjectStore>> {
    let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket);
    let builder = SETTINGS.into_iter().fold(builder, |builder, (key, value)| {
        builder.with_config(GoogleConfigKey::Client(key), value)
    });
    Ok(Arc::new(builder.with_retry(unrepeated()).build()?))
}

fn microsoft(container: &str) -> object_store::Result<Arc<dyn ObjectStore>> {
    let builder = MicrosoftAzureBuilder::from_env().with_container_name(container);
    let builder = SETTINGS.into_iter().fold(builder, |builder, (key, value)| {
        builder.with_config(AzureConfigKey::Client(key), value)
    });
    Ok(Arc::new(builder.with_retry(unrepeated()).build()?))
}

/// Refuses a server without TLS, unless the environment allows it: every request would fail.
///
/// # Errors
/// If the environment names one and does not allow it.
fn refuse_plain_text(scheme: &str) -> io::Result<()> {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let endpoint = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"].map(variable);
    let endpoint = endpoint.iter().find(|url| !url.is_empty());
    let is_plain = endpoint.is_some_and(|url| url.starts_with("http://"));
    let is_allowed = ["1", "true", "yes", "on", "y"]
        .contains(&&*variable("AWS_ALLOW_HTTP").to_ascii_lowercase());
    match scheme == "s3" && is_plain && !is_allowed {
        true => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "AWS_ENDPOINT_URL has no TLS (http://); set AWS_ALLOW_HTTP=true to use it nevertheless",
        )),
        false => Ok(()),
    }
}

/// Requests are repeated by `requests`, which counts them.
fn unrepeated() -> RetryConfig {
    RetryConfig {
        max_retries: 0,
        ..RetryConfig::default()
    }
}
