-- Exact floor and remainder of a * b / c. A product up to MAX is divided at once; `math.fmod` is exact where Lua's `%` is not.
-- A greater one goes by double-and-add over the bits of the smaller factor, and no intermediate leaves 2^53. A quotient
-- above MAX is given as MAX, remainder 0: all that compares against it has long given up by then.
local function mul_div(a, b, c)
  local product = a * b
  if product <= MAX then
    local remainder = math.fmod(product, c)
    return (product - remainder) / c, remainder
  end
  if b < a then a, b = b, a end
  local b_remainder = math.fmod(b, c)
  local b_quotient = (b - b_remainder) / c
  local bit = 1
  while bit + bit <= a do bit = bit + bit end
  local quotient, remainder = 0, 0
  while bit >= 1 do
    quotient = quotient + quotient
    if remainder >= c - remainder then
      remainder = remainder - (c - remainder)
      quotient = quotient + 1
    else
      remainder = remainder + remainder
    end
    if a >= bit then
      a = a - bit
      quotient = quotient + b_quotient
      if remainder >= c - b_remainder then
        remainder = remainder - (c - b_remainder)
        quotient = quotient + 1
      else
        remainder = remainder + b_remainder
      end
    end
    if quotient > MAX then return MAX, 0 end
    bit = bit / 2
  end
  return quotient, remainder
end
