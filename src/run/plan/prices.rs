//! What a run costs, by prices that the user gives.

use std::str::FromStr;

use serde::Serialize;

/// The highest price, so that costs of the largest runs are numbers.
const HIGHEST: f64 = 1e12;

/// The prices of an engine or a store, in any currency.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prices {
    /// The name of the engine; empty if it has none.
    pub engine: String,
    /// An hour of one processor.
    pub core_hour: f64,
    /// A thousand requests that write an object.
    pub put_1000: f64,
    /// A thousand requests that read an object.
    pub get_1000: f64,
    /// A month of 10⁹ bytes.
    pub gb_month: f64,
}

/// A text that names no prices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no price; write core-hour=X, put-1000=X, get-1000=X or gb-month=X with commas between them, and the name of an engine before them, as in spot:core-hour=0.02"
)]
pub struct UnknownPrice(String);

/// The cost of a run by the prices of one engine, in their currency.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The name of the engine; empty if it has none.
    pub engine: String,
    /// Hours of processors.
    pub compute: f64,
    /// Requests that read inputs.
    pub gets: f64,
    /// Requests that write outputs.
    pub puts_of_files: f64,
    /// All of these.
    pub with_files: f64,
    /// A month of the outputs.
    pub month: f64,
}

impl FromStr for Prices {
    type Err = UnknownPrice;

    /// Reads `[ENGINE:]NAME=PRICE,…`. A price that is not given is 0.
    fn from_str(text: &str) -> Result<Self, UnknownPrice> {
        let (engine, list) = text.split_once(':').unwrap_or(("", text));
        let mut prices = Self {
            engine: engine.to_owned(),
            ..Self::default()
        };
        for item in list.split(',') {
            let unknown = || UnknownPrice(item.to_owned());
            let (name, number) = item.split_once('=').ok_or_else(unknown)?;
            let number: f64 = number.parse().map_err(|_| unknown())?;
            let price = match name {
                "core-hour" => &mut prices.core_hour,
                "put-1000" => &mut prices.put_1000,
                "get-1000" => &mut prices.get_1000,
                "gb-month" => &mut prices.gb_month,
                _ => return Err(unknown()),
            };
            if !(0.0..=HIGHEST).contains(&number) {
                return Err(unknown());
            }
            *price = number;
        }
        Ok(prices)
    }
}

impl Prices {
    /// Returns the cost of a run of `core_hours` that reads `inputs` objects and writes `files` objects
    /// with `bytes` bytes together.
    pub fn cost(&self, core_hours: f64, inputs: f64, files: f64, bytes: f64) -> Cost {
        let compute = core_hours * self.core_hour;
        let gets = inputs / 1000.0 * self.get_1000;
        let puts = files / 1000.0 * self.put_1000;
        Cost {
            engine: self.engine.clone(),
            compute,
            gets,
            puts_of_files: puts,
            with_files: compute + gets + puts,
            month: bytes / 1e9 * self.gb_month,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_named_and_add_up() {
        let prices: Prices = "spot:core-hour=0.02,put-1000=0.005,gb-month=0.03"
            .parse()
            .unwrap();
        assert_eq!(prices.engine, "spot");
        let cost = prices.cost(10.0, 1e6, 3e6, 5e11);
        assert!((cost.with_files - 15.2).abs() < 1e-9, "{cost:?}");
        assert!((cost.month - 15.0).abs() < 1e-9);
        let read: Prices = "get-1000=1".parse().unwrap();
        assert_eq!(read.cost(1.0, 2000.0, 0.0, 0.0).with_files, 2.0);
        for text in [
            "",
            "core-hour",
            "core-hour=",
            "core-hour=-1",
            "core-hour=inf",
            "core-hour=NaN",
            "core-hour=1e308",
            "hour=1",
            "a:",
            "put-1000=1,",
        ] {
            assert!(text.parse::<Prices>().is_err(), "{text}");
        }
    }
}
