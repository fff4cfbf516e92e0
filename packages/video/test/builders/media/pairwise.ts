type Factors = Record<string, readonly unknown[]>;
type Choice<F extends Factors> = { [Key in keyof F]: F[Key][number] };

/** A small set of combinations in which every pair of values of any two factors occurs at least once. */
export function pairwise<const F extends Factors>(factors: F): Choice<F>[] {
  const all = combinations(factors);
  const open = new Set(all.flatMap(pairsOf));
  const chosen: Choice<F>[] = [];
  while (open.size > 0) {
    const gains = all.map((choice) => pairsOf(choice).filter((pair) => open.has(pair)).length);
    const best = all[gains.indexOf(Math.max(...gains))] as Choice<F>;
    chosen.push(best);
    for (const pair of pairsOf(best)) open.delete(pair);
  }
  return chosen;
}

function combinations<F extends Factors>(factors: F): Choice<F>[] {
  return Object.entries(factors).reduce<object[]>(
    (rows, [key, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [key]: value }))),
    [{}],
  ) as Choice<F>[];
}

function pairsOf(choice: object): string[] {
  const entries = Object.entries(choice).map((entry) => JSON.stringify(entry));
  return entries.flatMap((one, index) => entries.slice(index + 1).map((other) => one + other));
}
