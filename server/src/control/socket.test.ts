import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAIN_DB, startTestService, type TestService } from '../../test/service.ts'
import { COMMANDS } from './all-commands.ts'
import { ownData } from './ownership.ts'
import { runRemotely, type ServedCommands, takeCommands } from './socket.ts'

describe.each(MAIN_DB)('commands in a running service, on %s', (kind) => {
  let service: TestService
  let served: ServedCommands
  beforeAll(async () => {
    service = await startTestService(kind)
    served = await ownData(service.context.settings.DATA_DIR, (server) => takeCommands(server, COMMANDS))
    served.runIn(Promise.resolve(service.context))
  })
  afterAll(async () => {
    await served.close()
    await service.remove()
  })

  async function run(name: string, args: string[]): Promise<string> {
    const said: string[] = []
    const control = {
      signal: new AbortController().signal,
      report: ({ text }: { text: string }) => said.push(text),
    }
    const done = await runRemotely(
      service.context.settings.DATA_DIR,
      name,
      { arguments: args, options: {} },
      control,
    )
    expect(done).toBe(true)
    return said.join('\n')
  }

  it('accept each value that the configuration accepts', async () => {
    const logo = `data:image/svg+xml;base64,${'A'.repeat(19_000)}`
    expect(await run('config set', ['brand.logos.full', logo])).toContain('This is revision')
    const { configurations, storefronts } = service.context
    expect(configurations.of(storefronts.first().id).brand.logos.full).toBe(logo)
  })

  it('say that a value is too long, and not that the command is unknown', async () => {
    const value = 'A'.repeat(1_000_001)
    await expect(run('config set', ['brand.name', value])).rejects.toThrow('at most 1000000 characters')
    await expect(run('reticulate', [])).rejects.toThrow('does not know this command. Restart it')
  })
})
