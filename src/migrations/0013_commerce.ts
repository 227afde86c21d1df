/** Result Orders, payment attempts with their journals, exported Commerce Records, and the authority over them. */
export const commerce: ReadonlyArray<string> = [
  // The account that a person made alone holds every authority.
  `update memberships set authorities = authorities || '["FINANCIAL_MANAGE"]'
    where membership_id in (select membership_id from self_service_accounts)
      and not authorities @> '["FINANCIAL_MANAGE"]'`,
  `create table recipient_accounts (
    organization_id text collate "C" not null references organizations,
    provider text collate "C" not null check (provider in ('STRIPE', 'SIMULATED')),
    environment text collate "C" not null check (environment in ('TEST', 'LIVE')),
    account_id text collate "C" not null,
    created_at timestamptz(3) not null,
    primary key (organization_id, provider, environment)
  )`,
  // Terms, events and entries are text, since their bytes are hashed.
  `create table result_orders (
    result_order_id text collate "C" primary key,
    project_id text collate "C" not null references projects,
    record_id text collate "C" not null,
    buyer_organization_id text collate "C" not null references organizations,
    supplier_organization_id text collate "C" not null references organizations,
    state text collate "C" not null
      check (state in ('OFFERED', 'APPROVED', 'PAYING', 'PAID', 'DECLINED', 'WITHDRAWN')),
    terms text collate "C" not null,
    offered_at timestamptz(3) not null
  )`,
  `create index result_orders_by_project on result_orders (project_id, offered_at, result_order_id)`,
  `create index result_orders_by_buyer on result_orders (buyer_organization_id, offered_at, result_order_id)`,
  `create index result_orders_by_supplier on result_orders (supplier_organization_id, offered_at, result_order_id)`,
  // At most one order for a record is neither declined nor withdrawn.
  `create unique index result_orders_live on result_orders (record_id) where state not in ('DECLINED', 'WITHDRAWN')`,
  `create table financial_events (
    result_order_id text collate "C" not null references result_orders,
    sequence bigint not null check (sequence > 0),
    project_id text collate "C" not null references projects,
    hash text collate "C" not null check (hash ~ '^[0-9a-f]{64}$'),
    event text collate "C" not null,
    primary key (result_order_id, sequence)
  )`,
  `create table result_order_packages (
    result_order_id text collate "C" primary key references result_orders,
    digest text collate "C" not null check (digest ~ '^[0-9a-f]{64}$'),
    package text collate "C" not null
  )`,
  `create table commerce_orders (
    commerce_order_id text collate "C" primary key,
    result_order_id text collate "C" not null references result_orders,
    project_id text collate "C" not null references projects,
    number bigint not null check (number > 0),
    state text collate "C" not null check (state in ('OPENING', 'OPEN', 'PAID', 'UNVERIFIED', 'RELEASED')),
    binding text collate "C" not null,
    order_record text collate "C" not null,
    checkout_request jsonb not null,
    opened_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    checkout_id text collate "C",
    checkout_url text collate "C",
    hinted_checkout_id text collate "C",
    journal_count bigint not null check (journal_count >= 0),
    journal_bytes bigint not null check (journal_bytes >= 0),
    journal_head text collate "C" not null check (journal_head ~ '^[0-9a-f]{64}$'),
    last_entry_at timestamptz(3),
    released_at timestamptz(3),
    capture_revision bigint not null check (capture_revision >= 0),
    failures bigint not null check (failures >= 0),
    due_at timestamptz(3) not null,
    leased_until timestamptz(3) not null,
    lease_token text collate "C" not null,
    check (opened_at < expires_at),
    check (checkout_url is null or checkout_id is not null),
    check (hinted_checkout_id is null or checkout_id is null),
    check (state <> 'OPENING' or checkout_id is null),
    check ((journal_count = 0) = (last_entry_at is null)),
    check (state <> 'RELEASED' or released_at is not null)
  )`,
  `create index commerce_orders_by_order on commerce_orders (result_order_id, number, commerce_order_id)`,
  `create index commerce_orders_by_due on commerce_orders (due_at, commerce_order_id)`,
  // One live attempt an order.
  `create unique index commerce_orders_live on commerce_orders (result_order_id) where released_at is null`,
  `create table commerce_entries (
    commerce_order_id text collate "C" not null references commerce_orders,
    sequence bigint not null check (sequence > 0),
    hash text collate "C" not null check (hash ~ '^[0-9a-f]{64}$'),
    entry text collate "C" not null,
    primary key (commerce_order_id, sequence)
  )`,
  `create table commerce_entities (
    commerce_order_id text collate "C" not null references commerce_orders,
    component text collate "C" not null
      check (component in ('CHECKOUT', 'PAYMENT', 'REFUND', 'DISPUTE', 'TRANSFER', 'PAYOUT')),
    entity text collate "C" not null,
    project_id text collate "C" not null references projects,
    sequence bigint not null check (sequence > 0),
    facts jsonb not null,
    primary key (commerce_order_id, component, entity)
  )`,
  `create index commerce_entities_by_entity on commerce_entities (entity, commerce_order_id, component)`,
  `create table commerce_components (
    commerce_order_id text collate "C" not null references commerce_orders,
    component text collate "C" not null
      check (component in ('CHECKOUT', 'PAYMENT', 'REFUND', 'DISPUTE', 'TRANSFER', 'PAYOUT')),
    project_id text collate "C" not null references projects,
    last_observed_at timestamptz(3),
    failure text collate "C",
    primary key (commerce_order_id, component)
  )`,
  `create table commerce_exports (
    commerce_order_id text collate "C" not null references commerce_orders,
    count bigint not null check (count >= 0),
    project_id text collate "C" not null references projects,
    record_digest text collate "C" not null check (record_digest ~ '^[0-9a-f]{64}$'),
    record text collate "C" not null,
    exported_at timestamptz(3) not null,
    primary key (commerce_order_id, count),
    constraint commerce_exports_by_digest unique (record_digest)
  )`
]
