import { Gauge, type Registry } from 'prom-client'

/** Maximum time to read the values of a gauge from the database, in milliseconds. */
const READ_MS = 2000

/** The value of a gauge for a combination of its labels. */
export interface GaugeValue<Label extends string> {
  labels: Readonly<Record<Label, string>>
  value: number
}

/**
 * Adds a gauge whose values come from the database. Each request of `/metrics` reads them. While the database does not
 * answer, the gauge has no values, and the other metrics are served all the same.
 */
export function registerStoredGauge<Label extends string>(
  registry: Registry,
  { name, help, labels }: { name: string; help: string; labels: readonly Label[] },
  read: () => Promise<readonly GaugeValue<Label>[]>,
): void {
  const gauge = new Gauge<Label>({
    name,
    help,
    labelNames: labels,
    registers: [],
    collect: async () => {
      gauge.reset()
      for (const each of await readInTime(read)) gauge.set(each.labels, each.value)
    },
  })
  registry.registerMetric(gauge)
}

async function readInTime<Value>(read: () => Promise<readonly Value[]>): Promise<readonly Value[]> {
  const late = Promise.withResolvers<readonly Value[]>()
  const timer = setTimeout(() => late.resolve([]), READ_MS)
  try {
    // `/readyz` and the log say that the database is away.
    return await Promise.race([read().catch(() => []), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
