import { listCountries } from '@ondine/contract/countries'
import { query } from '../../../api/query.ts'

/** All countries by name in the page's language, the countries that the operator serves first (A3-34). */
export const countriesQuery = query(listCountries, {})
