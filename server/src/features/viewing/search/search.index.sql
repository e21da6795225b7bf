-- Keeps search_documents and search_words consistent with their source tables, in the same transaction. Applied when this
-- text changes (see database/derive.ts); its last statement rebuilds the index.

-- Folds a text for comparison: lower case, without accents, words separated by single spaces.
create or replace function search_fold(given text) returns text
language sql stable parallel safe as $$
  select trim(regexp_replace(lower(unaccent(normalize(left(coalesce(given, ''), 20000), NFKC))), '[^[:alnum:]]+', ' ', 'g'))
$$
--> statement-breakpoint
create or replace function search_config(language text) returns regconfig
language sql immutable parallel safe as $$
  select case language
    when 'fra' then 'pg_catalog.french'::regconfig when 'eng' then 'pg_catalog.english'::regconfig else 'pg_catalog.simple'::regconfig
  end
$$
--> statement-breakpoint
-- Returns the text in a language, else in the default language, else in any language, as `textIn` does.
create or replace function search_text(texts jsonb, language text) returns text
language sql stable parallel safe as $$
  -- A subquery in its place would keep PostgreSQL from inlining this function.
  select coalesce(texts ->> language, texts ->> 'fra', jsonb_path_query_first(texts, '$.*') #>> '{}', '')
$$
--> statement-breakpoint
-- Returns words and their stems, so that an exact match counts twice.
create or replace function search_vector(folded text, language text) returns tsvector
language sql stable parallel safe as $$
  select to_tsvector('pg_catalog.simple', folded) || to_tsvector(search_config(language), folded)
$$
--> statement-breakpoint
create or replace function search_facets(key text, given text[]) returns text[]
language sql stable parallel safe as $$
  select coalesce(array_agg(key || '=' || search_fold(value)), '{}') from unnest(given) as value where search_fold(value) <> ''
$$
--> statement-breakpoint
-- Adds the names of genres in a language. A genre has the names of the category with its key.
create or replace function search_genres(given text[], language text) returns text[]
language sql stable parallel safe as $$
  select given || coalesce(array_agg(search_text(c.names, language)), '{}')
  from categories c where c.source_key = any (select 'genre:' || genre from unnest(given) as genre)
$$
--> statement-breakpoint
-- Returns the keywords for readers of a language, else the keywords without a language, as `keywordsIn` of
-- the catalogue does.
create or replace function search_keywords(given text[], language text) returns text[]
language sql immutable parallel safe as $$
  select coalesce(
    (select array_agg(left(keyword, -length(language) - 1)) from unnest(given) as keyword where keyword like '%@' || language),
    (select array_agg(keyword) from unnest(given) as keyword where keyword !~ '@[a-z]{3}$'),
    '{}'
  )
$$
--> statement-breakpoint
create or replace view search_sources as
  select
    a.kind::text as kind, a.id as target_id, '' as programme_key, l.language,
    search_text(a.titles, l.language) as title,
    (select string_agg(value, ' ') from jsonb_each_text(a.titles) where key <> l.language) as other_titles,
    array_to_string(a.directors || a.actors || a.studio, ' ') as people,
    array_to_string(search_genres(a.genres, l.language) || search_keywords(a.tags, l.language), ' ') || ' ' || coalesce(search_text(c.names, l.language), '') as groups,
    search_text(a.taglines, l.language) || ' ' || search_text(a.descriptions, l.language) as about,
    search_facets('AD_LIACTORS', a.actors) || search_facets('AD_LIREALIS', a.directors)
      || search_facets('AD_LIGENRES', search_genres(a.genres, l.language)) || search_facets('AD_LIPRODUC', array[a.studio])
      || search_facets('TS_PRODYEAR', array[a.year::text]) || search_facets('TAGS', search_keywords(a.tags, l.language))
      || search_facets('AD_SURTITLE', array[search_text(c.names, l.language)]) as facets,
    -- Episodes with equal scores are in the order of the series.
    coalesce(a.score, 0) + case a.availability when 'ready' then 10 else 0 end
      - coalesce(a.season_number, 0) / 100.0 - coalesce(a.episode_number, 0) / 10000.0 as score,
    a.morality_level, a.adult, a.valid_from, a.valid_to
  from assets a
  left join categories c on c.id = a.serie_id
  cross join (values ('fra'), ('eng')) as l (language)
  where a.availability not in ('withdrawn', 'failed')
  union all
  select
    'series', c.id, '', l.language,
    search_text(c.names, l.language),
    (select string_agg(value, ' ') from jsonb_each_text(c.names) where key <> l.language),
    array_to_string(c.directors || c.actors, ' '),
    array_to_string(search_genres(c.genres, l.language) || search_keywords(c.tags, l.language), ' '),
    search_text(c.taglines, l.language) || ' ' || search_text(c.synopses, l.language),
    search_facets('AD_LIACTORS', c.actors) || search_facets('AD_LIREALIS', c.directors)
      || search_facets('AD_LIGENRES', search_genres(c.genres, l.language)) || search_facets('TS_PRODYEAR', array[c.year::text])
      || search_facets('TAGS', search_keywords(c.tags, l.language)),
    coalesce(c.score, 0) + 10,
    c.morality_level, c.adult, '-infinity', null
  from categories c
  cross join (values ('fra'), ('eng')) as l (language)
  where c.kind = 'series'
  union all
  select
    'channel', c.id, '', l.language,
    search_text(c.names, l.language),
    (select string_agg(value, ' ') from jsonb_each_text(c.names) where key <> l.language),
    '',
    c.main_genre || ' ' || array_to_string(c.tags, ' '),
    search_text(c.descriptions, l.language),
    search_facets('AD_LIGENRES', array[c.main_genre]),
    10,
    c.morality_level, false, '-infinity', null
  from channels c
  cross join (values ('fra'), ('eng')) as l (language)
  where c.shown
--> statement-breakpoint
-- Returns the people of programmes as facets. `credits` is a list of lists of credits. Roles that searches by metadata do not use
-- share one key. PostgreSQL inlines this function.
create or replace function search_people_in(credits jsonb) returns setof text
language sql stable parallel safe as $$
  select
    case credit ->> 'role' when 'actor' then 'AD_LIACTORS=' when 'director' then 'AD_LIREALIS=' else 'PEOPLE=' end || folded.name
  from jsonb_path_query(credits, '$[*][*]') as credit
  -- The offset keeps the planner from folding each name twice.
  cross join lateral (select search_fold(credit ->> 'name') as name offset 0) as folded
  where folded.name <> ''
$$
--> statement-breakpoint
-- Returns the people of all showings of a title, because guests differ from day to day; at most 100, so that documents stay small.
-- It is in PL/pgSQL, not SQL, so that the connection caches its plan: a guide calls it for each of its titles.
create or replace function search_people_of(announced text) returns text[]
language plpgsql stable parallel safe as $$
begin
  return array(
    select distinct person from programmes s, search_people_in(jsonb_build_array(s.details -> 'credits')) as person
    where s.programme_key = announced and s.asset_id is null and s.details ? 'credits'
    limit 100
  );
end
$$
--> statement-breakpoint
drop view if exists search_showings
--> statement-breakpoint
drop function if exists search_showings(integer[])
--> statement-breakpoint
drop function if exists search_credits(jsonb)
--> statement-breakpoint
-- Returns the words of a folded text that are stored for correcting misspelt words.
create or replace function search_words_in(folded text) returns setof text
language sql immutable parallel safe as $$
  select word from unnest(string_to_array(folded, ' ')) as word where length(word) between 3 and 40
$$
--> statement-breakpoint
-- Returns the folded title, and a second time as one word, for searches without the spaces.
create or replace function search_title(folded text) returns text
language sql immutable parallel safe as $$
  select case when folded like '% %' and length(folded) <= 40 then folded || ' ' || replace(folded, ' ', '') else folded end
$$
--> statement-breakpoint
drop function if exists search_write(text, integer[], text[])
--> statement-breakpoint
drop function if exists search_write(regclass, text, integer[])
--> statement-breakpoint
-- Writes the documents of a part of `search_sources`, which is given as SQL. $1 contains the ids.
create or replace function search_write(sources text, ids integer[]) returns void
language plpgsql as $$
begin
  execute format($statement$
    with source as materialized (
      select s.*, search_fold(title) as folded, search_fold(other_titles) as other_folded, search_fold(people) as people_folded,
        search_fold(groups) as groups_folded, search_fold(about) as about_folded
      from %s
    ), written as (
      insert into search_documents (
        kind, target_id, programme_key, language, folded, words, facets, score, morality_level, adult, valid_from, valid_to
      )
      select kind::search_kind, target_id, programme_key, language, folded,
        setweight(search_vector(search_title(folded), language), 'A')
          || setweight(to_tsvector('pg_catalog.simple', people_folded), 'B')
          || setweight(search_vector(groups_folded || ' ' || other_folded, language), 'C')
          || setweight(search_vector(about_folded, language), 'D'),
        facets, score, morality_level, adult, valid_from, valid_to
      from source
      on conflict (kind, target_id, programme_key, language) do nothing
    )
    insert into search_words (language, word)
    select distinct language, word
    from source, search_words_in(concat_ws(' ', folded, other_folded, people_folded, groups_folded, about_folded)) as word
    -- In a fixed order, so that two transactions never deadlock on each other's words.
    order by language, word
    on conflict do nothing
  $statement$, sources) using ids;
end
$$
--> statement-breakpoint
-- Writes the documents of programmes without an asset. `ids` contains one showing of each title, because all showings of a title have
-- the same key and the same values here. `credits` contains the lists of credits of each title; for null, the credits of all its showings
-- are read. If a title has a document, its new people are added there: another transaction may write it at the same time. Unlike
-- `search_write`, this function folds each text once for both languages, and its plan is cached: a guide has a hundred thousand titles.
create or replace function search_write_programmes(ids integer[], credits jsonb[]) returns void
language plpgsql as $$
begin
  with announced as materialized (
    select s.programme_key, s.morality_level, s.adult, s.titles, named.people
    from unnest(ids, credits) as wanted (id, credits)
    -- Each showing is looked up separately, because a join would read all programmes. The lookup has no other condition: while
    -- statistics say that every programme has an asset, the planner would read all programmes without one each time, by their index.
    cross join lateral (select * from programmes p where p.id = wanted.id offset 0) as s
    cross join lateral (
      select case when wanted.credits is null then search_people_of(s.programme_key) else array(
        select distinct person from search_people_in(wanted.credits) as person limit 100
      ) end as people
      offset 0
    ) as named
  ), folded as materialized (
    select announced.*, told.*, named.*, setweight(to_tsvector('pg_catalog.simple', named.names), 'B') as name_words
    from announced
    cross join lateral (
      select jsonb_object_agg(key, search_fold(value)) as texts from jsonb_each_text(titles)
    ) as told
    cross join lateral (
      select coalesce(string_agg(split_part(person, '=', 2), ' '), '') as names from unnest(people) as person
    ) as named
  ), source as materialized (
    select folded.*, l.language, told.title,
      (select string_agg(value, ' ') from jsonb_each_text(texts) where key <> l.language and value <> told.title) as other_titles
    from folded cross join (values ('fra'), ('eng')) as l (language)
    cross join lateral (select search_text(texts, l.language) as title offset 0) as told
  ), written as (
    insert into search_documents as document (
      kind, target_id, programme_key, language, folded, words, facets, score, morality_level, adult, valid_from
    )
    select 'programme', 0, programme_key, language, title,
      setweight(search_vector(search_title(title), language), 'A') || name_words
        || case when other_titles is null then '' else setweight(search_vector(other_titles, language), 'C') end,
      people, 0, morality_level, adult, '-infinity'
    from source
    -- In a fixed order, as the words.
    order by programme_key, language
    on conflict (kind, target_id, programme_key, language) do update
      set words = document.words || ts_filter(excluded.words, '{b}'),
        facets = (document.facets || array(select unnest(excluded.facets) except select unnest(document.facets)))[:100]
      where not document.facets @> excluded.facets and cardinality(document.facets) < 100
  )
  insert into search_words (language, word)
  select l.language, found.word
  from (
    -- Documents of both languages contain the words of all titles.
    select distinct word from (
      select value from folded, jsonb_each_text(texts) union all select names from folded
    ) as text (value), search_words_in(value) as word
  ) as found
  cross join (values ('fra'), ('eng')) as l (language)
  -- Most words are known. To look up a word takes half the time of a vain attempt to write it.
  left join lateral (
    select true as there from search_words w where w.language = l.language and w.word = found.word offset 0
  ) as known on true
  where known.there is null
  -- In a fixed order, as in `search_write`.
  order by l.language, found.word
  on conflict do nothing;
end
$$
--> statement-breakpoint
create or replace function search_index(kinds search_kind[], ids integer[]) returns void
language plpgsql as $$
begin
  if cardinality(ids) is null or cardinality(ids) = 0 then return; end if;
  delete from search_documents where kind = any (kinds) and target_id = any (ids) and programme_key = '';
  perform search_write(format('search_sources s where target_id = any ($1) and kind = any (%L::text[])', kinds::text[]), ids);
end
$$
--> statement-breakpoint
drop function if exists search_index_programmes(text[])
--> statement-breakpoint
create or replace function search_rebuild() returns void
language plpgsql as $$
begin
  delete from search_documents;
  delete from search_words;
  perform search_write('search_sources s', null);
  perform search_write_programmes(
    (select array_agg(id) from (select min(id) as id from programmes where asset_id is null group by programme_key) as shown), null
  );
  -- Its trigger writes the search vector.
  update editorial set title = title;
end
$$
--> statement-breakpoint
create or replace function search_on_assets() returns trigger
language plpgsql as $$
begin
  case tg_op
  when 'INSERT' then
    perform search_index('{film,episode}', (select array_agg(id) from after));
  when 'UPDATE' then
    perform search_index('{film,episode}', (
      select array_agg(after.id) from after join before on before.id = after.id
      -- Imports update the progress constantly, which search does not use.
      where (after.kind, after.titles, after.descriptions, after.taglines, after.year, after.studio, after.morality_level,
        after.adult, after.score, after.genres, after.tags, after.directors, after.actors, after.serie_id, after.season_number, after.episode_number, after.availability,
        after.valid_from, after.valid_to)
        is distinct from (before.kind, before.titles, before.descriptions, before.taglines, before.year, before.studio,
        before.morality_level, before.adult, before.score, before.genres, before.tags, before.directors, before.actors, before.serie_id,
        before.season_number, before.episode_number, before.availability, before.valid_from, before.valid_to)
    ));
  else
    delete from search_documents where kind in ('film', 'episode') and target_id in (select id from before);
  end case;
  return null;
end
$$
--> statement-breakpoint
create or replace function search_on_categories() returns trigger
language plpgsql as $$
declare
  changed integer[];
  renamed text[];
begin
  case tg_op
  when 'INSERT' then
    perform search_index('{series}', (select array_agg(id) from after where kind = 'series'));
    renamed := (select array_agg(substr(source_key, 7)) from after where starts_with(source_key, 'genre:'));
  when 'UPDATE' then
    changed := (
      select array_agg(after.id) from after join before on before.id = after.id
      where after.kind = 'series' and (after.names, after.synopses, after.taglines, after.year, after.morality_level,
        after.adult, after.score, after.genres, after.tags, after.directors, after.actors)
        is distinct from (before.names, before.synopses, before.taglines, before.year, before.morality_level,
        before.adult, before.score, before.genres, before.tags, before.directors, before.actors)
    );
    perform search_index('{series}', changed);
    -- Searches find episodes by the name of their series.
    perform search_index('{film,episode}', (select array_agg(id) from assets where serie_id = any (changed)));
    renamed := (
      select array_agg(substr(after.source_key, 7)) from after join before on before.id = after.id
      where starts_with(after.source_key, 'genre:') and after.names is distinct from before.names
    );
  else
    delete from search_documents where kind = 'series' and target_id in (select id from before);
    renamed := (select array_agg(substr(source_key, 7)) from before where starts_with(source_key, 'genre:'));
  end case;
  -- Searches find titles by the names of their genres in all languages.
  if cardinality(renamed) > 0 then
    perform search_index('{film,episode}', (select array_agg(id) from assets where genres && renamed));
    perform search_index('{series}', (select array_agg(id) from categories where kind = 'series' and genres && renamed));
  end if;
  return null;
end
$$
--> statement-breakpoint
create or replace function search_on_channels() returns trigger
language plpgsql as $$
begin
  case tg_op
  when 'INSERT' then
    perform search_index('{channel}', (select array_agg(id) from after));
  when 'UPDATE' then
    perform search_index('{channel}', (
      select array_agg(after.id) from after join before on before.id = after.id
      where (after.names, after.descriptions, after.tags, after.main_genre, after.morality_level, after.shown)
        is distinct from (before.names, before.descriptions, before.tags, before.main_genre, before.morality_level, before.shown)
    ));
  else
    delete from search_documents where kind = 'channel' and target_id in (select id from before);
  end case;
  return null;
end
$$
--> statement-breakpoint
-- A title is announced many times but indexed once, in all languages at once. Showings of indexed titles are
-- skipped, because a guide repeats titles on every channel. Rows are looked up one by one, without sequential
-- or bitmap scans. Newly imported rows have no statistics yet (in the embedded database they never have), so
-- the planner would wrongly estimate that reading everything is cheaper.
create or replace function search_on_programmes() returns trigger
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
  gone text;
  missing integer[];
  announced_credits jsonb[];
begin
  if tg_op <> 'INSERT' then
    -- Delete documents one key at a time. For many keys at once, the planner would read all documents, or even all of them for each key.
    for gone in
      select announced.programme_key
      from (select distinct programme_key from before where asset_id is null) as announced
      left join lateral (
        select true as shown from programmes s
        where s.programme_key = announced.programme_key and s.asset_id is null limit 1
      ) as other on true
      where other.shown is null
    loop
      delete from search_documents where kind = 'programme' and target_id = 0 and programme_key = gone;
    end loop;
  end if;
  if tg_op = 'DELETE' then return null; end if;
  select array_agg(announced.id), array_agg(coalesce(announced.credits, '[]'))
    into missing, announced_credits
    from (
      select min(id) as id, programme_key,
        jsonb_agg(details -> 'credits') filter (where details ? 'credits') as credits
      from after where asset_id is null group by programme_key
    ) as announced
    left join lateral (
      select d.facets as people from search_documents d
      where d.kind = 'programme' and d.target_id = 0 and d.programme_key = announced.programme_key limit 1
    ) as document on true
    where document.people is null
      -- The programme adds a person to the document.
      or (announced.credits is not null and cardinality(document.people) < 100
        and not document.people @> array(select person from search_people_in(announced.credits) as person));
  if cardinality(missing) > 0 then
    perform search_write_programmes(missing, announced_credits);
  end if;
  return null;
end
$$
--> statement-breakpoint
-- Texts store their own search vector, because each belongs to one storefront and has one language.
create or replace function search_on_editorial() returns trigger
language plpgsql as $$
declare
  title_folded text := search_fold(new.title);
  names_folded text := search_fold(array_to_string(new.keywords, ' ') || ' ' || new.author);
  about_folded text := search_fold(new.description);
  text_folded text := search_fold((
    select string_agg(value #>> '{}', ' ') from jsonb_path_query(new.content, 'strict $.**.text') as value
  ));
begin
  new.words := setweight(search_vector(title_folded, new.language), 'A') || setweight(search_vector(names_folded, new.language), 'B')
    || setweight(search_vector(about_folded, new.language), 'C') || setweight(search_vector(text_folded, new.language), 'D');
  insert into search_words (language, word)
  select distinct new.language, word
  from unnest(string_to_array(concat_ws(' ', title_folded, names_folded, about_folded, text_folded), ' ')) as word
  where length(word) between 3 and 40 and new.language in ('fra', 'eng')
  order by new.language, word
  on conflict do nothing;
  return new;
end
$$
--> statement-breakpoint
create or replace trigger search_words before insert or update on editorial
  for each row execute function search_on_editorial()
--> statement-breakpoint
-- A trigger with transition tables can have only one event.
do $$
declare
  watched text;
begin
  foreach watched in array array['assets', 'categories', 'channels', 'programmes'] loop
    execute format('create or replace trigger search_insert after insert on %1$I referencing new table as after
      for each statement execute function search_on_%1$s()', watched);
    execute format('create or replace trigger search_update after update on %1$I referencing old table as before new table as after
      for each statement execute function search_on_%1$s()', watched);
    execute format('create or replace trigger search_delete after delete on %1$I referencing old table as before
      for each statement execute function search_on_%1$s()', watched);
  end loop;
end
$$
--> statement-breakpoint
select search_rebuild()
