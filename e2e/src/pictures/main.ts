import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { routeAddresses } from '../addresses.ts'
import { launchBrowser } from '../browser.ts'
import { Installation } from '../installation.ts'
import { keepFindings, writeContactSheet } from './contact-sheet.ts'
import { allScreens, type Screen } from './screens.ts'
import { isTouched, openBrowserOf, SETTINGS, type Setting, take } from './take.ts'

const USAGE = `Takes a picture of every screen into .reports/pictures, and reports pages that move, are too wide or log errors.

  npm run pictures [-- [--width 360] [--language fra] [--who visitor] [screen …]]

  ONDINE_E2E_ORIGIN is the origin of a running service with the demonstration library. Without it a service is started on
  .reports/pictures-data, whose library is made the first time.
`

const REPORTS = fileURLToPath(new URL('../../../.reports/', import.meta.url))
const PICTURES = join(REPORTS, 'pictures')
const LIBRARY = { DEMO: 'true' }

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
try {
  await installation?.start()
  await installation?.libraryReady(1800)
  const origin = running ?? installation?.origin ?? ''
  const screens = await allScreens(origin, await routeAddresses(origin))
  const unknown = positionals.filter((name) => !screens.some((screen) => screen.name === name))
  if (unknown.length > 0) {
    const known = screens.map(({ name }) => name).join(', ')
    process.stderr.write(`There is no screen ${unknown.join(', ')}. Screens: ${known}.\n`)
    process.exitCode = 2
  } else {
    const wanted = screens.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
    for (const setting of SETTINGS.filter(isChosen)) await takeAll(origin, wanted, setting)
    await writeContactSheet(PICTURES)
    process.stdout.write(`${join(PICTURES, 'index.html')}\n`)
  }
} finally {
  await installation?.kill('SIGTERM')
}

/** Takes pictures of the screens in one setting, and reports their faults. */
async function takeAll(origin: string, screens: readonly Screen[], setting: Setting): Promise<void> {
  const { who, width } = setting
  const seen = screens.filter((screen) => screen.who.includes(who) && (screen.existsAt?.(width) ?? true))
  if (seen.length === 0) return
  const browser = await launchBrowser({ touch: isTouched(width) })
  const context = await openBrowserOf(browser, origin, setting)
  const notYet: string[] = []
  for (const screen of seen) {
    const folder = join(PICTURES, screen.name)
    await mkdir(folder, { recursive: true })
    const taken = await take(context, folder, screen, setting)
    if (taken === undefined) {
      notYet.push(screen.name)
      continue
    }
    await keepFindings(folder, taken)
    for (const fault of taken.faults) process.stdout.write(`${screen.name}/${taken.picture}: ${fault}\n`)
    if (taken.faults.length > 0) process.exitCode = 1
  }
  await browser.close()
  const said = notYet.length > 0 ? `; not there yet: ${notYet.join(', ')}` : ''
  process.stdout.write(
    `${Object.values(setting).join(' ')}: ${seen.length - notYet.length} pictures${said}\n`,
  )
}

function isChosen({ who, language, width }: Setting): boolean {
  return (
    (values.who?.includes(who) ?? true) &&
    (values.language?.includes(language) ?? true) &&
    (values.width?.includes(String(width)) ?? true)
  )
}
