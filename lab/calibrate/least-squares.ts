/**
 * The coefficients that fit rows of features to values with the least squared error, each at least 0: a processor never
 * gives time back. A feature that would be negative is left out and the others are fitted again.
 */
export function fitNonNegative(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const width = rows[0]?.length ?? 0;
  let used = Array.from({ length: width }, (_, feature) => feature);
  while (used.length > 0) {
    const solution = leastSquares(
      rows.map((row) => used.map((feature) => row[feature] ?? 0)),
      values,
    );
    const lowest = Math.min(...solution);
    if (lowest >= 0) {
      const coefficients = Array.from({ length: width }, () => 0);
      for (const [index, feature] of used.entries()) coefficients[feature] = solution[index] ?? 0;
      return coefficients;
    }
    used = used.filter((_, index) => solution[index] !== lowest);
  }
  return Array.from({ length: width }, () => 0);
}

/** The least-squares solution by the normal equations, with partial pivoting. */
export function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const width = rows[0]?.length ?? 0;
  const at = (row: readonly number[], column: number) => row[column] ?? 0;
  const matrix = Array.from({ length: width }, (_, one) => [
    ...Array.from({ length: width }, (__, other) => rows.reduce((sum, row) => sum + at(row, one) * at(row, other), 0)),
    rows.reduce((sum, row, index) => sum + at(row, one) * at(values, index), 0),
  ]);
  for (let column = 0; column < width; column += 1) {
    const pivot = matrix
      .slice(column)
      .reduce((best, row) => (Math.abs(at(row, column)) > Math.abs(at(best, column)) ? row : best));
    const position = matrix.indexOf(pivot);
    [matrix[column], matrix[position]] = [pivot, matrix[column] ?? []];
    for (const [index, row] of matrix.entries()) {
      if (index === column) continue;
      const factor = at(row, column) / at(pivot, column);
      matrix[index] = row.map((value, other) => value - factor * at(pivot, other));
    }
  }
  return matrix.map((row, index) => at(row, width) / at(row, index));
}
