/** Summary of a list of measurements. */
export interface Summary {
  min: number
  median: number
  max: number
}

/**
 * Summarises measurements. @throws RangeError if a value is not a number, because the table would show it as
 * measured
 */
export function summarise(values: readonly number[]): Summary {
  if (!values.every(Number.isFinite))
    throw new RangeError(`These values are not all numbers: ${values.join(', ')}.`)
  return { min: percentile(values, 0), median: percentile(values, 50), max: percentile(values, 100) }
}

/**
 * Returns the value below which `percent` per cent of the `values` are. Interpolates linearly between two values.
 * @throws RangeError without values
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = ((sorted.length - 1) * percent) / 100
  const low = sorted[Math.floor(place)]
  const high = sorted[Math.ceil(place)]
  if (low === undefined || high === undefined) throw new RangeError('There are no values.')
  return low + (high - low) * (place - Math.floor(place))
}
