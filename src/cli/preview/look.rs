//! Options for the look of pictures: the camera, and what surrounds a model.

use clap::ValueEnum;

use rigy_view::picture::{BACKGROUND, MAX_FOV, Scenery, View};

/// The camera, and what surrounds a model.
#[derive(clap::Args)]
#[command(next_help_heading = "Look")]
pub struct Look {
    /// Place to look from: natural, front (+Z), side (+X), top (+Y) or iso
    ///
    /// `natural` is a perspective of 30° from the left of the front (+Z of glTF); models that are at least as tall as broad,
    /// such as characters, are seen from just below the height of their eyes, flat ones from higher up. The others are parallel
    /// projections; `iso` looks from the direction (1, 1, 1), so that the three axes are equally long.
    #[arg(long, value_enum, default_value_t = ViewName::Natural)]
    pub view: ViewName,

    /// Look from an azimuth and an elevation in degrees, with a field of view [default: 30]
    ///
    /// The azimuth goes from +Z towards +X: 0,0 is the front and 90,0 is the left side of a character. A field of view of 0 is a parallel
    /// projection.
    #[arg(long, value_name = "AZ,EL[,FOV]", value_parser = camera, allow_hyphen_values = true, conflicts_with = "view")]
    pub camera: Option<View>,

    /// Colour behind the models: transparent, #rgb or #rrggbb
    #[arg(long, value_name = "COLOR", value_parser = background)]
    pub background: Option<[u8; 4]>,

    /// Draw no shadow on the ground
    #[arg(long)]
    pub no_shadow: bool,

    /// Draw a grid on the ground, and the axes: X red, Y green, Z blue
    ///
    /// The step is 1, 2 or 5 times a power of ten, in model units, and stands in the label of each picture.
    #[arg(long)]
    pub grid: bool,
}

/// The values of `--view`.
#[derive(Clone, Copy, ValueEnum)]
pub enum ViewName {
    Natural,
    Front,
    Side,
    Top,
    Iso,
}

impl Look {
    pub fn view(&self) -> View {
        self.camera.unwrap_or(match self.view {
            ViewName::Natural => View::Natural,
            ViewName::Front => View::Front,
            ViewName::Side => View::Side,
            ViewName::Top => View::Top,
            ViewName::Iso => View::Iso,
        })
    }

    pub fn scenery(&self) -> Scenery {
        Scenery {
            background: self.background.unwrap_or(BACKGROUND),
            has_shadow: !self.no_shadow,
            has_grid: self.grid,
        }
    }
}

fn camera(text: &str) -> Result<View, String> {
    let numbers: Result<Vec<f64>, _> = text
        .split(',')
        .map(|number| number.trim().parse::<f64>())
        .collect();
    let (azimuth, elevation, fov) = match numbers.as_deref() {
        Ok([azimuth, elevation]) => (*azimuth, *elevation, 30.0),
        Ok([azimuth, elevation, fov]) => (*azimuth, *elevation, *fov),
        _ => {
            return Err(
                "a camera is two or three numbers in degrees, such as `35,10` or `35,10,30`".into(),
            );
        }
    };
    if !(-360.0..=360.0).contains(&azimuth) {
        Err("the azimuth is from -360 to 360 degrees".into())
    } else if !(-90.0..=90.0).contains(&elevation) {
        Err("the elevation is from -90 to 90 degrees".into())
    } else if !(0.0..=MAX_FOV).contains(&fov) {
        Err(format!("the field of view is from 0 to {MAX_FOV} degrees"))
    } else {
        Ok(View::Camera {
            azimuth,
            elevation,
            fov,
        })
    }
}

fn background(text: &str) -> Result<[u8; 4], String> {
    if text == "transparent" {
        return Ok([0; 4]);
    }
    let values: Option<Vec<u8>> = text
        .strip_prefix('#')
        .unwrap_or(text)
        .chars()
        .map(|digit| Some(digit.to_digit(16)? as u8))
        .collect();
    match values.as_deref() {
        Some([red, green, blue]) => Ok([red * 17, green * 17, blue * 17, 255]),
        Some([a, b, c, d, e, f]) => Ok([a * 16 + b, c * 16 + d, e * 16 + f, 255]),
        _ => Err("a colour is `transparent`, #rgb or #rrggbb, such as `#fff`; in a shell it stands in quotes".into()),
    }
}
