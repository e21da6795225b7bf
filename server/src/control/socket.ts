import { type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import type { Context } from '../context.ts'
import { type Command, CommandError, type CommandInput, type Report } from './commands.ts'
import { socketPath } from './ownership.ts'

/** One line of a command's answer. */
const line = z.union([
  z.object({
    report: z.object({
      text: z.string(),
      percent: z.number().optional(),
      secondsLeft: z.number().optional(),
    }),
  }),
  z.object({ done: z.literal(true) }),
  z.object({ error: z.string() }),
])

const ENDING = 'Ondine is ending. Run the command again in a few seconds.'

/** Maximum length of an argument or option, in characters: that of a file which `config load` reads. */
const LONGEST_TEXT = 1_000_000
const MOST_ARGUMENTS = 20

const value = z.string().max(LONGEST_TEXT)

const commandInput = z.object({
  arguments: z.array(value).max(MOST_ARGUMENTS),
  options: z.record(z.string(), z.union([value, z.boolean()]).optional()),
})

const UNKNOWN = 'The running service does not know this command. Restart it after an update.'
const INVALID = `Nothing was done: a command takes at most ${MOST_ARGUMENTS} arguments, of at most ${LONGEST_TEXT} characters each.`

/** Commands that a control socket serves. */
export interface ServedCommands {
  /** Runs the commands in a service that is starting. Commands that arrive earlier wait for this call. */
  runIn(starting: Promise<Context>): void
  /** Resolves when no command is running. Commands that arrive meanwhile are served, and waited for. */
  idle(): Promise<void>
  /** Refuses all commands from now on. */
  refuse(): void
  /**
   * Closes the socket. Comes last: other processes open the data as soon as nobody listens.
   */
  close(): Promise<void>
}

/**
 * Serves commands on the owner's control socket. A command that arrives while the service starts waits until the
 * start is complete. When the caller disconnects, its command is interrupted.
 */
export function takeCommands(server: Server, commands: readonly Command[]): ServedCommands {
  const started = Promise.withResolvers<Context>()
  // The process itself reports a start that fails.
  started.promise.catch(() => undefined)
  const running = new Set<Promise<void>>()
  let isEnding = false
  server.on('request', (incoming, outgoing) => {
    if (isEnding) {
      incoming.resume()
      outgoing.end(`${JSON.stringify({ error: ENDING })}\n`)
      return
    }
    const run = serveCommand(started.promise, commands, incoming, outgoing)
    running.add(run)
    void run.finally(() => running.delete(run))
  })
  return {
    runIn: (starting) => started.resolve(starting),
    idle: async () => {
      while (running.size > 0) await Promise.all(running)
    },
    refuse: () => {
      isEnding = true
    },
    close: async () => void (await new Promise((resolve) => server.close(resolve))),
  }
}

async function serveCommand(
  starting: Promise<Context>,
  commands: readonly Command[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  let context: Context | undefined
  try {
    context = await starting
    await answer(context, commands, incoming, outgoing)
  } catch (error) {
    // Without a context, the service failed to start, and has already logged the reason.
    context?.log.error({ err: error }, 'a command failed')
    outgoing.end(`${JSON.stringify({ error: 'The command failed; the log of the service says why.' })}\n`)
  }
}

async function answer(
  context: Context,
  commands: readonly Command[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const write = (value: z.input<typeof line>) => outgoing.write(`${JSON.stringify(value)}\n`)
  const refuse = (error: string) => {
    write({ error })
    outgoing.end()
  }
  const command = commands.find(({ name }) => incoming.url === `/${encodeURIComponent(name)}`)
  const input = commandInput.safeParse(await readJson(incoming))
  if (!command) return refuse(UNKNOWN)
  if (!input.success) return refuse(INVALID)
  const interrupted = new AbortController()
  outgoing.on('close', () => interrupted.abort(new CommandError('Interrupted.')))
  try {
    await command.run(context, input.data, {
      signal: interrupted.signal,
      report: (report) => write({ report: tidy(report) }),
    })
    write({ done: true })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    write({ error: error.message })
  }
  outgoing.end()
}

function tidy({ text, percent, secondsLeft }: Report) {
  return {
    text,
    ...(percent === undefined ? {} : { percent }),
    ...(secondsLeft === undefined ? {} : { secondsLeft }),
  }
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) text += String(chunk)
  try {
    return JSON.parse(text)
  } catch {
    // `undefined` fails the validation, which reports the error to the caller.
    return undefined
  }
}

/**
 * Runs a command in the service that owns `dataDir`.
 *
 * @returns false when no service is running there.
 * @throws CommandError when the service rejects the command.
 */
export async function runRemotely(
  dataDir: string,
  name: string,
  input: CommandInput,
  control: { signal: AbortSignal; report(report: Report): void },
): Promise<boolean> {
  const incoming = await post(socketPath(dataDir), name, input, control.signal)
  if (!incoming) return false
  for await (const text of createInterface({ input: incoming })) {
    const message = line.parse(JSON.parse(text))
    if ('report' in message) control.report(message.report as Report)
    if ('error' in message) throw new CommandError(message.error)
    if ('done' in message) return true
  }
  throw new CommandError(
    'The service stopped before the command was done. Start it and run the command again.',
  )
}

async function post(
  path: string,
  name: string,
  input: CommandInput,
  signal: AbortSignal,
): Promise<IncomingMessage | undefined> {
  return await new Promise((resolve, reject) => {
    const call = request(
      { socketPath: path, path: `/${encodeURIComponent(name)}`, method: 'POST', signal },
      resolve,
    )
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined)
      else reject(error)
    })
    call.end(JSON.stringify(input))
  })
}
