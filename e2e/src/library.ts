import { join } from 'node:path'
import { drawStills } from '@ondine/demo/make-editorial'
import { makeLibrary as makeDemonstration } from '@ondine/demo/make-library'
import { Installation } from './installation.ts'

const TITLES = ['la-houle', 'le-metier']
const SECONDS = 24

/** What the library of the shared services holds: enough for every journey, short enough to be made in a minute. */
const SETTINGS = {
  DEMO: 'true',
  DEMO_TITLES: TITLES.join(','),
  DEMO_SECONDS: String(SECONDS),
  // Some blocks ahead on each channel. Films are so short that two days of them would be thousands of entries.
  SCHEDULE_HOURS: '5',
  // The identity provider of the tests is on this machine.
  OUTBOUND_ALLOW: '127.0.0.1',
  // On a fast machine tests sign the same people in more often than a person does.
  SIGN_IN_ATTEMPTS: '1000',
}

/** The service whose library is in `folder`. */
export async function libraryIn(folder: string): Promise<Installation> {
  return await Installation.kept(folder, SETTINGS)
}

/** Makes the library in `folder`, all of it, for services to have copies of. */
export async function makeLibrary(folder: string): Promise<void> {
  // Ahead of the service, which keeps it: with the strip, by which tests know which film is on the screen, and which second of it.
  await makeDemonstration({
    folder: join(folder, 'library/demonstration'),
    only: TITLES,
    secondsPerFilm: SECONDS,
    frameStrip: true,
  })
  // A service takes articles in before their pictures are drawn. Here they would be drawn in each copy, beside its first tests.
  await drawStills(join(folder, 'library/editorial'))
  const service = await libraryIn(folder)
  try {
    await service.start()
    await service.libraryReady(1200)
  } finally {
    await service.kill('SIGTERM')
  }
}
