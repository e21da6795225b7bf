import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openSharp } from './ingest/sharp.ts'

const ONDINE = fileURLToPath(new URL('../../script/ondine', import.meta.url))

/** A module that prints the C library's memory settings and ends the process before the service starts. */
const TELL = `
  const { MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_ } = process.env
  console.log(JSON.stringify([MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_]))
  process.exit()`

/** Returns the C library's memory settings that `script/ondine` gives to a command in this environment. */
async function told(command: string[], environment: Record<string, string>): Promise<unknown> {
  const { stdout } = await promisify(execFile)(ONDINE, command, {
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL)}`,
      ...environment,
    },
  })
  return JSON.parse(stdout)
}

it.each([
  ['the service', []],
  ['the service, by its name', ['serve']],
  ['a command', ['doctor']],
])('%s returns memory to the system, unless the operator decides otherwise', async (_, command) => {
  expect(await told(command, {})).toEqual(['2', '131072'])
  const own = { MALLOC_ARENA_MAX: '8', MALLOC_TRIM_THRESHOLD_: '1000000' }
  expect(await told(command, own)).toEqual(['8', '1000000'])
})

it('Sharp caches none of the pictures that it has drawn', async () => {
  const sharp = await openSharp()
  const picture = { create: { width: 600, height: 400, channels: 3, background: '#336699' } } as const
  await sharp(picture).resize(300).png().toBuffer()
  expect(sharp.cache()).toMatchObject({
    memory: { current: 0, max: 0 },
    files: { current: 0, max: 0 },
    items: { current: 0, max: 0 },
  })
})
