import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { commandLine } from '../command-line.ts'
import { temporaryFolder } from '../test-media.ts'
import { outputArguments } from './output-plan.ts'

const run = promisify(execFile)

const RATE = { numerator: 25, denominator: 1 }
const LARGE = { rate: RATE, width: 256, height: 144, bitRate: 1_000_000 }
const SMALL = { ...LARGE, width: 128, height: 72 }

it.each([
  ['encoded', { ...LARGE, deinterlace: false }, 2],
  ['copied', null, 1],
])(
  'issue 19: pixels that are not square become square, also below a picture that is %s',
  async (_how, encoding, count) => {
    await using folder = await temporaryFolder()
    const file = `${folder.path}/made.mp4`
    const plan = {
      picture: { index: 0, encoding, isAnamorphic: true, lower: [SMALL] },
      sounds: [],
      teletext: null,
      splices: null,
    }
    const white = `${folder.path}/white.ts`
    const source = commandLine`-f lavfi -i color=white:s=180x144:r=25:d=1,setsar=64/45`
    await run('ffmpeg', [...source, ...commandLine`-c:v libx264 -pix_fmt yuv420p ${white}`])
    const files: Record<string, string> = { 'pipe:1': file, 'pipe:5': '/dev/null' }
    const output = outputArguments(plan).map((word) => files[word] ?? word)
    await run('ffmpeg', ['-y', '-i', white, ...output])
    for (const track of [0, 1].slice(-count)) {
      const { stdout } = await run(
        'ffmpeg',
        commandLine`-v error -i ${file} -map 0:v:${track} -frames:v 1 -pix_fmt gray -f rawvideo -`,
        { encoding: 'buffer' },
      )
      const { width, height } = track === 0 ? LARGE : SMALL
      expect(stdout.length).toBe(width * height)
      // No bars.
      expect(Math.min(...stdout)).toBeGreaterThan(230)
    }
  },
)
