import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { routeAddresses } from '../addresses.ts'
import { launchBrowser } from '../browser.ts'
import { Installation } from '../installation.ts'
import { FINDINGS, writeContactSheet } from './contact-sheet.ts'
import { allScreens, type Screen } from './screens.ts'
import { LANGUAGES, type Setting, type Taken, take, WIDTHS } from './take.ts'

const USAGE = `Takes a picture of every screen into .reports/pictures, and says what moves, is too wide or complains.

  npm run pictures [-- [--width 360] [--language fra] [--who visitor] [screen …]]

  ONDINE_E2E_ORIGIN names a service that runs already, with the demonstration library; otherwise one is started on
  .reports/pictures-data, whose library is made the first time.
`

const REPORTS = fileURLToPath(new URL('../../../.reports/', import.meta.url))
const PICTURES = join(REPORTS, 'pictures')
/** Short films are enough for pictures. */
const LIBRARY = { DEMO: 'true', DEMO_SECONDS: '12' }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string', multiple: true },
    language: { type: 'string', multiple: true },
    who: { type: 'string', multiple: true },
    help: { type: 'boolean' },
  },
})
if (values.help === true) {
  process.stdout.write(USAGE)
  process.exit(0)
}

const running = process.env.ONDINE_E2E_ORIGIN
const installation = running ? undefined : await Installation.kept(join(REPORTS, 'pictures-data'), LIBRARY)
const browser = await launchBrowser()
try {
  await installation?.start()
  await installation?.libraryReady(1800)
  const origin = running ?? installation?.origin ?? ''
  const screens = await allScreens(origin, await routeAddresses(origin))
  const unknown = positionals.filter((name) => !screens.some((screen) => screen.name === name))
  if (unknown.length > 0) {
    process.stderr.write(
      `There is no screen ${unknown.join(', ')}. Screens: ${screens.map(({ name }) => name).join(', ')}.\n`,
    )
    process.exitCode = 2
  } else {
    const wanted = screens.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
    for (const screen of wanted) await takeAll(origin, screen)
    await writeContactSheet(PICTURES)
    process.stdout.write(`${join(PICTURES, 'index.html')}\n`)
  }
} finally {
  await browser.close()
  await installation?.kill('SIGTERM')
}

/** Takes a screen in every setting, and says what was wrong. */
async function takeAll(origin: string, screen: Screen): Promise<void> {
  const folder = join(PICTURES, screen.name)
  await mkdir(folder, { recursive: true })
  const all: Taken[] = []
  for (const setting of settingsOf(screen)) {
    const taken = await take(browser, origin, folder, screen, setting)
    if (taken === undefined) {
      await rm(folder, { recursive: true })
      process.stdout.write(`${screen.name}: not there yet\n`)
      return
    }
    all.push(taken)
    for (const fault of taken.faults) process.stdout.write(`${screen.name}/${taken.picture}: ${fault}\n`)
    if (taken.faults.length > 0) process.exitCode = 1
  }
  process.stdout.write(`${screen.name}: ${all.length} pictures\n`)
  await writeFile(join(folder, FINDINGS), `${JSON.stringify(all, null, 2)}\n`)
}

function settingsOf({ who, existsAt = () => true }: Screen): Setting[] {
  const chosen = (name: 'width' | 'language' | 'who', value: string | number) =>
    values[name]?.includes(String(value)) ?? true
  return who
    .filter((each) => chosen('who', each))
    .flatMap((each) =>
      (Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[])
        .filter((language) => chosen('language', language))
        .flatMap((language) =>
          WIDTHS.filter((width) => existsAt(width) && chosen('width', width)).map((width) => ({
            who: each,
            language,
            width,
          })),
        ),
    )
}
