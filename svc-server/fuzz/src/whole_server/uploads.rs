//! Uploads: forms of any shape, with pictures. What is accepted is served as another picture, which holds
//! pixels and nothing else that was sent.

use std::io::Cursor;

use image::{DynamicImage, GenericImageView, ImageFormat, RgbImage};
use serde_json::Value;

use super::pixels::is_bare;
use super::request::{Request, Route};
use super::server::{HOST, WholeServer, with_server};

const ROUTES: [Route; 3] =
    [("POST", "/api/media"), ("PUT", "/api/users/me/avatar"), ("POST", "/api/users/me/avatar")];

/// Largest sides of an avatar, of an image, and of its small version.
const SIDES: [u32; 3] = [512, 2048, 640];

pub(crate) fn judge(input: &[u8]) {
    with_server(|server| {
        let request = Request::read(input, &ROUTES, &server.words);
        let Some(answer) = server.send_input(request) else { return };
        let Some(made) = answer.granted() else { return };
        if let Some(media) = made.get("media") {
            let sides = judge_picture(server, &media["url"], SIDES[1]);
            let told = [&media["width"], &media["height"]].map(Value::clone);
            assert_eq!([sides.0, sides.1].map(Value::from), told);
            judge_picture(server, &media["thumbUrl"], SIDES[2]);
        } else {
            let url = made["user"]["avatar"].clone();
            let (width, height) = judge_picture(server, &url, SIDES[0]);
            assert_eq!(width, height, "an avatar is a square");
        }
    });
}

/// What is served is a picture of its type, which no browser runs, without metadata.
fn judge_picture(server: &mut WholeServer, url: &Value, side_max: u32) -> (u32, u32) {
    let url = url.as_str().expect("pictures have a URL");
    let path = url.strip_prefix("https://").and_then(|url| url.strip_prefix(HOST)).unwrap_or(url);
    let request = Request::get(path.to_owned()).by(server.words.of("$key"));
    let answer = server.send(request).expect("there is an answer");
    assert_eq!(answer.status, 200, "{url}");
    let format = image::guess_format(&answer.body).expect("it has a format");
    assert!(matches!(format, ImageFormat::Png | ImageFormat::Jpeg), "{format:?}");
    assert_eq!(format.to_mime_type(), answer.header("content-type"));
    assert_eq!(answer.header("content-security-policy"), "default-src 'none'; sandbox");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert!(is_bare(format, &answer.body), "there is more than pixels");
    let decoded = image::load_from_memory(&answer.body).expect("it can be shown");
    let (width, height) = decoded.dimensions();
    assert!(width.max(height) <= side_max && width.min(height) > 0, "{width} × {height}");
    (width, height)
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    const HEAD: &str = "authorization: Bearer $key\n";
    let picture = DynamicImage::from(RgbImage::from_pixel(4, 3, image::Rgb([9, 80, 170])));
    let of = |format: ImageFormat| {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).expect("a picture can be encoded");
        bytes.into_inner()
    };
    let form = |route: &str, picture: &[u8]| {
        let start = format!(
            "{route}\n{HEAD}content-type: multipart/form-data; boundary=\"b-1\"\n\n\
             --b-1\r\nContent-Disposition: form-data; name=\"alt\"\r\n\r\na dot\r\n--b-1\r\n\
             Content-Type: image/gif\r\n\
             Content-Disposition: form-data; filename=\"x.gif\"; name=file\r\n\r\n"
        );
        [start.as_bytes(), picture, b"\r\n--b-1--\r\n"].concat()
    };
    let bare = format!("PUT /api/users/me/avatar\n{HEAD}content-type: image/gif\n\n");
    vec![
        form("POST /api/media", &of(ImageFormat::Gif)),
        form("POST /api/media", &of(ImageFormat::Jpeg)),
        form("POST /api/users/me/avatar", &of(ImageFormat::Png)),
        [bare.as_bytes(), &of(ImageFormat::Gif)].concat(),
    ]
}
