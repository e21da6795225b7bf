import type { FilesystemPlugin } from '@capacitor/filesystem'

interface MemoryFile {
  data: string
  mtime: number
}

type Operations = Pick<
  FilesystemPlugin,
  'readFile' | 'writeFile' | 'rename' | 'deleteFile' | 'readdir' | 'rmdir'
>

/** An in-memory file system with the errors that the plugin reports on a device. */
export class InMemoryFiles implements Operations {
  /** Files by `{directory}/{path}`. */
  readonly files = new Map<string, MemoryFile>()
  /** Whether writes fail as on a full device. */
  isFull = false
  #now = 0

  /** Answers a call of the plugin. */
  async answer(method: string, options: object): Promise<unknown> {
    const operation: unknown = Reflect.get(this, method)
    if (typeof operation !== 'function') throw new Error(`The device has no Filesystem.${method}.`)
    return await operation(options)
  }

  readFile: Operations['readFile'] = async ({ directory, path }) => {
    return { data: this.#require(`${directory}/${path}`).data }
  }

  writeFile: Operations['writeFile'] = async ({ directory, path, data }) => {
    if (this.isFull) throw failure('OS-PLUG-FILE-0013')
    if (typeof data !== 'string') throw failure('OS-PLUG-FILE-0005')
    this.#now += 1
    this.files.set(`${directory}/${path}`, { data, mtime: this.#now })
    return { uri: path }
  }

  rename: Operations['rename'] = async ({ directory, from, to }) => {
    this.files.set(`${directory}/${to}`, this.#require(`${directory}/${from}`))
    this.files.delete(`${directory}/${from}`)
  }

  deleteFile: Operations['deleteFile'] = async ({ directory, path }) => {
    this.#require(`${directory}/${path}`)
    this.files.delete(`${directory}/${path}`)
  }

  readdir: Operations['readdir'] = async ({ directory, path }) => {
    const inner = this.#within(`${directory}/${path}/`)
    if (inner.length === 0) throw failure('OS-PLUG-FILE-0008')
    const names = new Set(inner.map((name) => name.split('/')[0] ?? ''))
    return {
      files: Array.from(names, (name) => {
        const file = this.files.get(`${directory}/${path}/${name}`)
        const { data = '', mtime = 0 } = file ?? {}
        return { name, type: file ? 'file' : 'directory', size: data.length, mtime, uri: name }
      }),
    }
  }

  rmdir: Operations['rmdir'] = async ({ directory, path }) => {
    const folder = `${directory}/${path}/`
    const inner = this.#within(folder)
    if (inner.length === 0) throw failure('OS-PLUG-FILE-0008')
    for (const name of inner) this.files.delete(folder + name)
  }

  #within(folder: string): string[] {
    return [...this.files.keys()]
      .filter((name) => name.startsWith(folder))
      .map((name) => name.slice(folder.length))
  }

  #require(name: string): MemoryFile {
    const file = this.files.get(name)
    if (file === undefined) throw failure('OS-PLUG-FILE-0008')
    return file
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(`The operation failed: ${code}`), { code })
}
