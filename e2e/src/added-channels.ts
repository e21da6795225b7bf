import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listChannels } from '@ondine/contract/channels'
import type { Channel } from '@ondine/contract/entities'
import type { CommandInput } from '@ondine/server/control/commands'
import { expect, onTestFinished } from 'vitest'
import { runCommand } from './operator.ts'
import { call, findChannel } from './service-calls.ts'

/**
 * Channels that tests add to the service. Test files share the service, and removed channels keep their numbers, so
 * each number is used once.
 */
export const ADDED = {
  breaks: { number: 91, name: 'Entracte' },
  past: { number: 94, name: 'Redites' },
  series: { number: 95, name: 'Feuilleton' },
  brief: { number: 96, name: 'Brève' },
  mixed: { number: 97, name: 'Mêlée' },
  live: { number: 98, name: 'Antenne' },
  changing: { number: 99, name: 'Relève' },
  menu: { number: 92, name: 'Feuilles' },
  ladder: { number: 86, name: 'Échelle' },
  relay: { number: 90, name: 'Relais' },
  episodes: { number: 87, name: 'Épisodes' },
  relayOfDash: { number: 88, name: 'Relais DASH' },
  relayOfHls: { number: 89, name: 'Relais HLS' },
} as const

/** Time limit for the schedule of a new channel. */
const PATIENCE = { timeout: 60_000, interval: 250 }

/** Adds a channel that plays titles of the library, for every viewer, until the end of the test. */
export async function addLibraryChannel(
  { origin, dataDir }: { origin: string; dataDir: string },
  { number, name }: { number: number; name: string },
  settings: { rules: object; timeShift?: number },
): Promise<Channel> {
  const channels = [{ number, name, free: true, ...settings }]
  return await addFrom(
    { origin, dataDir },
    { number, name },
    'channels.json',
    JSON.stringify({ channels }),
    {},
  )
}

/** Adds a channel that relays the stream at `source`, for every viewer, until the end of the test. */
export async function addRelay(
  service: { origin: string; dataDir: string },
  { number, name }: { number: number; name: string },
  source: string,
): Promise<Channel> {
  const options = { firstNumber: `${number}`, free: true }
  return await addFrom(
    service,
    { number, name },
    `${name}.m3u`,
    `#EXTM3U\n#EXTINF:-1,${name}\n${source}\n`,
    options,
  )
}

async function addFrom(
  { origin, dataDir }: { origin: string; dataDir: string },
  { number, name }: { number: number; name: string },
  fileName: string,
  text: string,
  options: CommandInput['options'],
): Promise<Channel> {
  const folder = await mkdtemp(join(tmpdir(), 'ondine-channel-'))
  onTestFinished(async () => {
    await runCommand(dataDir, 'channels set', [`${number}`], { on: 'no' })
    await rm(folder, { recursive: true, force: true })
  })
  const file = join(folder, fileName)
  await writeFile(file, text)
  expect(await runCommand(dataDir, 'channels import', [file], options)).toMatch(
    /^1 channels (imported|added)/m,
  )
  await runCommand(dataDir, 'channels set', [`${number}`], { on: 'yes' })
  const names = async () => (await call(origin, listChannels, {})).map((channel) => channel.name)
  await expect.poll(names, PATIENCE).toContain(name)
  return await findChannel(origin, name)
}
