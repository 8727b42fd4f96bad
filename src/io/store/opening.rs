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

/// Requests are repeated by `requests`, which counts them.
fn unrepeated() -> RetryConfig {
    RetryConfig {
        max_retries: 0,
        ..RetryConfig::default()
    }
}
