"""The YAML blocks of seed 000 (Brimley), as they stand there."""

SHORTHAND = """\
inline:
  customer_id: int
  is_active: bool
"""
COMPLEX = """\
inline:
  limit:
    type: int
    default: 10
    maximum: 100
    description: "Number of records to return"
"""
STANDARD = """\
inline:
  properties:
    customer_id: { type: integer }
  required: [customer_id]
"""
CONTEXT = """\
args:
  inline:
    # Provided by user
    reason: string
    # Automatically injected from system state
    actor_id:
      type: string
      from_context: "app.user.id"
"""
FULL = """\
arguments:
  entity_ref: Customer # Inherits Customer fields
  inline:
    status:
      type: string
      default: "shipped"
      enum: ["pending", "shipped", "cancelled"]
    min_total: float
    start_date: date
    user_id:
      type: string
      from_context: "app.user.id"
"""
PATH = """\
arguments:
  entity_ref: ~
  inline:
    category: string
    sub_category: string
    doc_index: int
"""
WILDCARD = """\
arguments:
  entity_ref: ~
  inline:
    category: string
    remainder: string # This would capture "hardware/sensors/v1"
"""
