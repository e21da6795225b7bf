import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CATALOGUE } from './catalogue.ts'
import { makeLibrary } from './make-library.ts'

const USAGE = `Makes Ondine's demonstration library.

  node demo/src/main.ts <folder> [--only id,id] [--seconds 24] [--strip]

  --only      titles: ${CATALOGUE.map((title) => title.id).join(', ')}
  --seconds   length of each film, 12 or more
  --strip     burns a machine-readable strip into each frame, for tests
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    seconds: { type: 'string' },
    strip: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
const [folder] = positionals
if (folder === undefined || values.help === true) {
  process.stdout.write(USAGE)
  process.exit(values.help === true ? 0 : 2)
}

const stop = new AbortController()
process.once('SIGINT', () => stop.abort(new Error('Interrupted; run it again to continue')))
process.once('SIGTERM', () => stop.abort(new Error('Terminated; run it again to continue')))
const startedAt = performance.now()
const clock = () => `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s`
let told = 0
try {
  const { made, kept } = await makeLibrary({
    folder: resolve(folder),
    signal: stop.signal,
    frameStrip: values.strip === true,
    ...(values.only === undefined ? {} : { only: values.only.split(',') }),
    ...(values.seconds === undefined ? {} : { secondsPerFilm: Number(values.seconds) }),
    onProgress: ({ title, percent, percentOfAll, secondsLeft, ready }) => {
      const left = secondsLeft === null ? '' : `, ${Math.ceil(secondsLeft)} s left`
      if (ready.length > told) {
        told = ready.length
        process.stdout.write(`\r\x1b[K${clock()}  ready: ${ready.at(-1)}\n`)
      }
      if (process.stdout.isTTY)
        process.stdout.write(
          `\r\x1b[K${clock()}  ${title} ${percent.toFixed(0)} % (all ${percentOfAll.toFixed(0)} %${left})`,
        )
    },
  })
  process.stdout.write(`\r\x1b[K${clock()}  made ${made.length}, already there ${kept.length}\n`)
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
