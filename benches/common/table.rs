//! Tables in Markdown, so that what a benchmark prints can stand in the documentation as it is.

/// A table that grows by rows.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(columns: &[&str]) -> Self {
        Self { rows: vec![columns.iter().map(|&column| column.to_owned()).collect()] }
    }

    /// One more row; its first cell is a name, the others are figures.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Prints it under a title.
    pub fn print(&self, title: &str) {
        println!("\n{title}\n");
        let columns = self.rows.first().map_or(0, Vec::len);
        let widths: Vec<_> = (0..columns).map(|column| self.width(column)).collect();
        for (index, row) in self.rows.iter().enumerate() {
            println!("|{}", line(row, &widths));
            if index == 0 {
                let rules = widths.iter().enumerate();
                println!("|{}", rules.map(|it| rule(it.0, *it.1)).collect::<String>());
            }
        }
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    }
}

fn line(row: &[String], widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).enumerate();
    cells
        .map(|(column, (cell, &width))| match column {
            0 => format!(" {cell:<width$} |"),
            _ => format!(" {cell:>width$} |"),
        })
        .collect()
}

fn rule(column: usize, width: usize) -> String {
    match column {
        0 => format!(" {} |", "-".repeat(width)),
        _ => format!(" {}: |", "-".repeat(width.saturating_sub(1))),
    }
}
