/** A list of numbers of eight bytes each, whose length is not known before. */
export function growableNumberList() {
  let values = new Float64Array(1024);
  let length = 0;
  return {
    add(value: number) {
      if (length === values.length) {
        const larger = new Float64Array(2 * length);
        larger.set(values);
        values = larger;
      }
      values[length] = value;
      length += 1;
    },
    sorted: () => values.slice(0, length).sort(),
  };
}

/** How many of the ascending times lie before one. */
export function lowerBound(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
