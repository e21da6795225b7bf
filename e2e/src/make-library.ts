import { makeLibrary } from './library.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined)
  throw new Error('The folder is missing. Usage: node e2e/src/make-library.ts <folder>')
await makeLibrary(folder)
