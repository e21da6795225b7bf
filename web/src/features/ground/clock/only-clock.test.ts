import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '../../..')

/** Files that may read the device's clock, each with the reason. */
const DEVICE_CLOCK: Readonly<Record<string, string>> = {
  'features/ground/clock/browser-clock.ts': 'it is compared with the service’s clock',
  'features/ground/clock/device-clock.ts': 'downloads play without the service, so its clock cannot be asked',
  'features/ground/errors/send-report.ts': 'a fault report contains the device’s time',
  'shell/browser/chunk-failure.ts': 'it works before anything else does, and compares only its own values',
}

test('only the service’s clock decides what is live: nothing else reads the device’s', () => {
  const readers = globSync('**/*.{ts,tsx}', { cwd: WEB })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .filter((file) => /\bDate\.now\b|new Date\(\)/.test(readFileSync(join(WEB, file), 'utf8')))
  expect(readers.toSorted()).toEqual(Object.keys(DEVICE_CLOCK).toSorted())
})
