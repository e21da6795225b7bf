import { join } from 'node:path'
import { drawStills } from '@ondine/demo/make-editorial'
import { makeLibrary as makeDemonstration } from '@ondine/demo/make-library'
import { Installation } from './installation.ts'

const TITLES = ['la-houle', 'le-metier']
const SECONDS = 24

/** Settings for the library of the shared services: enough for every test, short enough to be made in a minute. */
const SETTINGS = {
  DEMO: 'true',
  DEMO_TITLES: TITLES.join(','),
  DEMO_SECONDS: String(SECONDS),
  // The media and the guide of the live channel would change while tests run.
  DEMO_LIVE: 'false',
  // Schedules only five hours ahead on each channel. The films are so short that two days would have thousands of
  // programmes.
  SCHEDULE_HOURS: '5',
  // Shortens the margin after a recording, because a test waits until a recording ends.
  RECORDING_LATE_SECONDS: '5',
  // The identity provider of the tests is on this machine.
  OUTBOUND_ALLOW: '127.0.0.1',
  // The pages of the native app (`native-app.ts`).
  APP_ORIGINS: 'https://localhost',
  // On a fast machine, tests sign in the same people more often than the limit.
  SIGN_IN_ATTEMPTS: '1000',
}

/** Returns the service whose library is in `folder`. */
export async function libraryIn(folder: string): Promise<Installation> {
  return await Installation.kept(folder, SETTINGS)
}

/** Makes the complete library in `folder`, for services to copy. */
export async function makeLibrary(folder: string): Promise<void> {
  // Makes the demonstration before the service starts, because the service would otherwise make one with other
  // films. These films have the frame strip, by which tests identify the film and the second on the screen.
  await makeDemonstration({
    folder: join(folder, 'library/demonstration'),
    only: TITLES,
    secondsPerFilm: SECONDS,
    frameStrip: true,
    spotsAt: 'demonstration',
  })
  // Draws the pictures of articles now. A service imports articles before their pictures are drawn, so each copy of the
  // library would draw the pictures during its first tests.
  await drawStills(join(folder, 'library/editorial'))
  const service = await libraryIn(folder)
  try {
    await service.start()
    await service.libraryReady(1200)
  } finally {
    await service.kill('SIGTERM')
  }
}
