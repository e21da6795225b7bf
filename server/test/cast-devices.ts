import { type CastMessage, connectScreens } from '@ondine/contract/casting'
import { casAvailableDevice } from '@ondine/contract/devices'
import type { InputOf } from '@ondine/contract/operation'
import { expect } from 'vitest'
import type { Service } from '../src/service.ts'
import type { TestScene } from './scene.ts'
import type { Tokens } from './service.ts'

type Answering = Pick<Service, 'app'>

/** Message with this type. */
type Message<Type extends CastMessage['type']> = Extract<CastMessage, { type: Type }>

/** A device that is connected to the service by a WebSocket. */
export interface ConnectedDevice {
  /** Messages that the device has received. */
  messages: CastMessage[]
  /** Waits for a message of a type that satisfies `fits`. Returns the newest such message. */
  newest<Type extends CastMessage['type']>(
    type: Type,
    fits?: (message: Message<Type>) => boolean,
  ): Promise<Message<Type>>
  /** Close code, once the connection has closed. */
  closed: Promise<number>
  /** Closes the connection. */
  leave(): void
}

/** Opens a WebSocket of a service. The first call makes the service listen on a free port of this machine. */
export async function openSocket({ app }: Answering, address: string): Promise<WebSocket> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const at = app.server.address()
  if (at === null || typeof at === 'string') throw new Error('The service listens on no port.')
  return new WebSocket(`ws://127.0.0.1:${at.port}${address}`)
}

/** Waits until a WebSocket has closed. @returns the close code; 1006 if the service refused the connection */
export async function closeCodeOf(socket: WebSocket): Promise<number> {
  return await new Promise((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code))
  })
}

/** Connects devices of a test to the service, or to another process of it. */
export function castDevicesOf(scene: TestScene) {
  return {
    idOf: async (tokens: Tokens): Promise<number> => {
      const { result } = await scene.service.call(casAvailableDevice, {}, tokens)
      return result.find(({ current }) => current)?.casDeviceId ?? 0
    },
    connect: async (
      tokens: Tokens,
      input: InputOf<typeof connectScreens>,
      service: Answering = scene.service,
    ): Promise<ConnectedDevice> => {
      const { result } = await scene.service.call(connectScreens, input, tokens)
      const messages: CastMessage[] = []
      const socket = await openSocket(service, result.address)
      socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))))
      return {
        messages,
        closed: closeCodeOf(socket),
        leave: () => socket.close(),
        newest: async <Type extends CastMessage['type']>(
          type: Type,
          fits: (message: Message<Type>) => boolean = () => true,
        ) => {
          const find = () =>
            // The cast is safe, because a message's type determines its interface.
            messages.findLast((each) => each.type === type && fits(each as Message<Type>)) as
              | Message<Type>
              | undefined
          await expect.poll(find, { timeout: 5000 }).toBeDefined()
          const found = find()
          if (found === undefined) throw new Error(`There is no message of type ${type}.`)
          return found
        },
      }
    },
  }
}
