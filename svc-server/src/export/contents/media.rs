//! Pictures of an account: their names in the archive, and where their bytes are.

use svc_core::services::blob::Blob;
use svc_store::error::Result;

use crate::export::source::Source;

/// The picture of the account, if it has one: its name and where its bytes are.
pub(in crate::export) fn avatar(source: &mut Source<'_, '_, '_>) -> Result<Option<(String, Blob)>> {
    let found = svc_core::services::avatar::uploaded(source.ctx, &source.account.id)?;
    Ok(found.map(|file| (format!("media/avatar.{}", extension(&file.content_type)), file.blob)))
}

fn extension(content_type: &str) -> &str {
    content_type.split_once('/').map_or("bin", |(_, kind)| kind)
}

/// The next image of the account after this id: its id, its name and where its bytes are.
pub(in crate::export) fn next_image(
    source: &mut Source<'_, '_, '_>,
    after: &str,
) -> Result<Option<(String, String, Blob)>> {
    let found = svc_core::services::media::next_of(source.ctx, &source.account.id, after)?;
    Ok(found.map(|(id, file)| {
        let name = format!("media/{id}.{}", extension(&file.content_type));
        (id.to_string(), name, file.blob)
    }))
}
