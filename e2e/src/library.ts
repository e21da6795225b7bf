import { Installation } from './installation.ts'

/** What the library of the shared services holds: enough for every journey, short enough to be made in a minute. */
const SETTINGS = {
  DEMO: 'true',
  DEMO_TITLES: 'la-houle,le-metier',
  DEMO_SECONDS: '24',
  // Channels without the titles that are not made here are planned so far ahead for half an hour, and then, of programmes so
  // short, thousands at once: every run sees the same, however long it takes.
  SCHEDULE_HOURS: String(1 / 6),
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
  const service = await libraryIn(folder)
  try {
    await service.start()
    await service.libraryReady(1200)
  } finally {
    await service.kill('SIGTERM')
  }
}
